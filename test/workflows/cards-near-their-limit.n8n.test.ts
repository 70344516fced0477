import { join } from 'node:path';

import { z } from 'zod';

import { type HttpServer, json, startServer } from '../../harness/httpServer.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { cardPlatform, readWorkflow } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { importWorkflow, type LiveWorkflow, useTestEnvironment } from './environment.ts';
import { lines, sentDuring, slackMessagesDuring } from './slackMessages.ts';

const trigger = 'Every day at 07:00';
const cardSchema = z.object({ id: z.string(), lastFour: z.string() });

/** A card of the API, with whatever amounts. */
interface WireCard {
	name: string;
	status?: string;
	balance?: string;
	limit?: { amount: string; type?: string };
}

const environment = useTestEnvironment();

/** Publishes the workflow with a read-only credential for an API, and with this percentage. */
async function importFor(url: string, percent = '20'): Promise<LiveWorkflow> {
	const { n8n, company, credentials } = environment();
	const readOnly = await addApiCredential(n8n, company, { baseUrl: url, readOnly: true });
	const file = await readWorkflow(join(workflowsFolder, 'cards-near-their-limit.json'));
	const assignments = [{ name: 'percent', value: percent, type: 'string' }];
	const settings = { assignments: { assignments }, options: {} };
	const nodes = file.nodes.map((node) =>
		node.name === 'Settings' ? { ...node, parameters: settings } : node,
	);
	const own = { ...credentials, [cardPlatform.action]: readOnly };
	return importWorkflow({ ...environment(), credentials: own }, { ...file, nodes });
}

/** Runs the workflow from its trigger; gives what Slack got. */
const run = ({ id }: LiveWorkflow, status = 'success') =>
	slackMessagesDuring(environment(), async () => {
		expect((await environment().n8n.run(id, trigger)).status).toBe(status);
	});

// Tests "Cards near their limit": with cards of the sandbox, and with amounts that it never has.
describe('"Cards near their limit"', () => {
	describe('in a company', () => {
		const request = async (path: string, method: 'POST' | 'PATCH', body: object) => {
			const { api, apiKey } = environment().company;
			const headers = { authorization: `Bearer ${apiKey}` };
			return requestJson(api.url + path, cardSchema, { method, headers, body });
		};

		/** Creates a card with a limit, from which this much has been spent. */
		const create = async (name: string, limit: string, spent: string) => {
			const { sandbox } = environment().company;
			const amounts = { limit: { amount: limit, type: 'monthly' } };
			const card = await request('/cards', 'POST', { name, type: 'recurring', ...amounts });
			await sandbox.authorize({ cardId: card.id, amount: spent, merchantName: 'Shop' });
			return card;
		};

		beforeAll(async () => {
			const { cards } = environment().company;
			for (const { id, status } of cards) {
				if (status !== 'archived') await request(`/cards/${id}`, 'PATCH', { limit: null });
			}
		});

		it('sends nothing when no card has a limit', async () => {
			expect(await run(await importFor(environment().company.api.url))).toEqual([]);
		});

		it('lists the cards below the share, the smallest first, and no others', async () => {
			const { api } = environment().company;
			const below = await create('Below', '50.00', '40.01');
			await create('Exactly', '50.00', '40.00');
			const frozen = await create('<Frozen> & Co', '100.00', '99.00');
			await api.changeCard(frozen.id, 'freeze');
			const archived = await create('Archived', '100.00', '99.00');
			await api.changeCard(archived.id, 'archive');
			const live = await importFor(api.url);
			expect(await run(live)).toEqual([
				lines(
					'Cards with less than 20 % of their limit left: 2',
					`&lt;Frozen&gt; &amp; Co (…${frozen.lastFour}): 1.00 of 100.00 (monthly), 1.0 %`,
					`Below (…${below.lastFour}): 9.99 of 50.00 (monthly), 19.9 %`,
				),
			]);
			const sent = await sentDuring(environment(), () => run(live));
			expect(sent).toEqual([
				{ url: 'https://slack.com/api/chat.postMessage', channel: '#card-alerts' },
			]);
		});
	});

	describe('with an API that has', () => {
		let server: HttpServer;
		let cards: WireCard[] = [];

		// A card's ID is its place in the list. A card without a name is in the list only.
		const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

		beforeAll(async () => {
			server = await startServer(({ url }, response) => {
				const all = cards.map((card, index) => ({
					status: 'active',
					type: 'recurring',
					createdAt: '2026-01-01T00:00:00Z',
					lastFour: '0042',
					...card,
					id: idOf(index),
				}));
				const [path = ''] = url.split('?');
				if (path === '/cards') {
					const data = all.map((card) => ({ ...card, balance: undefined, limit: undefined }));
					json(response, 200, {
						data,
						page: 1,
						pageSize: 100,
						totalItemCount: data.length,
						totalPages: 1,
					});
					return;
				}
				const found = all.find(({ id, name }) => path === `/cards/${id}` && name !== 'Gone');
				if (found) json(response, 200, found);
				else json(response, 404, { code: 'not-found', message: 'No such card' });
			});
		});

		afterAll(() => server.close());

		const listedAt = async (percent: string, ...of: WireCard[]) => {
			cards = of;
			const [text = ''] = await run(await importFor(server.url, percent));
			return text.split('\n').filter((line) => line !== '');
		};
		const of = (balance: string, amount: string, name = 'One'): WireCard => ({
			name,
			balance,
			limit: { amount },
		});

		it.each([
			[
				'a balance that is a hair below the share',
				'20',
				'1801439850948198.59',
				'9007199254740993',
				true,
			],
			[
				'a balance that is exactly the share',
				'20',
				'1801439850948198.60',
				'9007199254740993',
				false,
			],
			['a share with decimals', '12.5', '12.49', '100', true],
			['the very share with decimals', '12.5', '12.50', '100', false],
			['the whole limit', '100', '100.00', '100.00', false],
			['an overdrawn card', '20', '-5.00', '100.00', true],
			['a limit of zero', '20', '0.00', '0.00', false],
			['a limit of zero that is overdrawn', '20', '-1.00', '0.00', true],
		])('%s', async (_, percent, balance, limit, isListed) => {
			expect(await listedAt(percent, of(balance, limit))).toHaveLength(isListed ? 2 : 0);
		});

		it('cards that cannot be read or compared, and names them', async () => {
			const found = await listedAt(
				'20',
				{ name: 'Gone' },
				of('9,99', '100.00', 'Comma'),
				{ name: 'No balance', limit: { amount: '100.00' } },
				of('1.00', '100.00', 'Near'),
			);
			expect(found).toEqual([
				'Cards with less than 20 % of their limit left: 1',
				'Near (…0042): 1.00 of 100.00, 1.0 %',
				'Cards that could not be read: 3',
				expect.stringMatching(/^Gone \(…0042\): .+/),
				'Comma (…0042): balance "9,99", limit "100.00"',
				'No balance (…0042): balance "undefined", limit "100.00"',
			]);
		});

		it('many cards near their limit, and lists fifty', async () => {
			const many = Array.from({ length: 53 }, (_, index) =>
				of(`${53 - index}.00`, '1000.00', `Card ${index}`),
			);
			const found = await listedAt('20', ...many);
			expect(found[0]).toBe('Cards with less than 20 % of their limit left: 53');
			expect(found.slice(1, 3)).toEqual([
				'Card 52 (…0042): 1.00 of 1000.00, 0.1 %',
				'Card 51 (…0042): 2.00 of 1000.00, 0.2 %',
			]);
			expect(found.slice(-2)).toEqual(['Card 3 (…0042): 50.00 of 1000.00, 5.0 %', '… and 3 more']);
		});

		it.each(['', '20 %', '0', '-1', '101', '1e1'])(
			'no message if the percentage is "%s": the execution fails',
			async (percent) => {
				cards = [of('1.00', '100.00')];
				const { id } = await importFor(server.url, percent);
				const execution = await environment().n8n.run(id, trigger);
				expect(execution.status).toBe('error');
				expect(outputOf(execution, 'Compare').error).toContain(
					`percent in Settings is "${percent}"`,
				);
			},
		);
	});
});
