import { type HttpServer, json, startServer } from '../../harness/httpServer.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { cardNode, node, workflowOf } from '../../harness/n8n/workflow.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

// An API that ignores every query parameter but its own paging, which it calls p and size.

const shared = useSharedN8n();
jest.setTimeout(400_000);

const CARD = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const DAY = 86_400_000;

const cards = Array.from({ length: 120 }, (_, index) => ({
	id: `card-${index}`,
	status: index % 40 === 7 ? 'frozen' : 'active',
}));
const transactions = [0, 1, 400].map((days) => ({
	id: `t-${days}`,
	cardId: days === 1 ? 'another' : CARD,
	createdAt: new Date(Date.now() - days * DAY).toISOString(),
}));

let server: HttpServer;

beforeAll(async () => {
	server = await startServer(({ url }, response) => {
		const { pathname, searchParams } = new URL(url, 'http://localhost');
		const page = Number(searchParams.get('p') ?? 1);
		const size = Number(searchParams.get('size') ?? 50);
		const all: object[] = pathname === '/cards' ? cards : transactions;
		json(response, 200, { data: all.slice((page - 1) * size, page * size) });
	});
});
afterAll(() => server.close());

/** Runs Get Many. */
async function getMany(
	resource: string,
	filters: object,
	parameterNames = '{"page":"p","pageSize":"size"}',
) {
	const { n8n } = shared();
	const data = {
		baseUrl: server.url,
		apiKey: 'key',
		keyScope: 'account',
		advanced: true,
		parameterNames,
	};
	const credential = await n8n.addCredential('cardPlatformApi', data);
	const parameters = { resource, operation: 'getAll', returnAll: true, filters };
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger'),
		cardNode('List', parameters, credential),
	];
	const id = await n8n.addWorkflow(workflowOf('Ignored filters', nodes, [['Start', 'List']]));
	return outputOf(await n8n.run(id, 'Start'), 'List');
}

describe('an API that ignores filters', () => {
	it('gives the cards with a status only', async () => {
		const { items } = await getMany('card', { status: 'frozen' });
		expect(items).toEqual(cards.filter(({ status }) => status === 'frozen'));
	});

	it('gives the transactions of a card and a period only', async () => {
		const cardId = { __rl: true, mode: 'id', value: CARD };
		const { items } = await getMany('transaction', { cardId, period: 'last7Days' });
		expect(items).toEqual([transactions[0]]);
	});

	it('does not silently end a list after its first page if it knows no page parameter', async () => {
		const { items, error, hint } = await getMany('card', {}, '{}');
		expect(items).toEqual([]);
		expect(error).toBe('The API sent the same page twice, so the rest of the list cannot be read');
		expect(hint).toContain('Parameter Names');
	});
});
