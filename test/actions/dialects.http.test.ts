import '../support/noWaits';

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { type Credentials, credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode } from '../../dev/harness/core/runNode.ts';
import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { byId, parametersOf } from '../support/operations';
import { createPollingTrigger } from '../support/pollingTrigger';

// What reads lists, against APIs that differ, with the Parameter Names that Test API proposes.

type Dialect = NonNullable<SandboxOptions['dialect']>;

let sandbox: Sandbox;
let client: SandboxClient;
let apiKey: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = new SandboxClient(sandbox.url);
	apiKey = await client.createKey();
});
afterAll(() => sandbox.close());

const CARD = 'ca4d0000-0000-4000-8000-000000000003';
const TIMES = { createdAfter: '={{ $now.minus({ days: 20 }) }}', createdBefore: '={{ $now }}' };
const DUE = {
	period: 'custom',
	from: '={{ $now.minus({ months: 14 }) }}',
	to: '={{ $now.plus({ months: 1 }) }}',
};

/** What reads a list: all of it, a part of it, or the first of it. */
const READS: [name: string, more: INodeParameters][] = [
	['card/getAll', {}],
	['card/getAll', { filters: { status: ['frozen'] } }],
	['card/getAll', { filters: { name: 'a' }, sort: { createdAt: 'asc' } }],
	['transaction/getAll', {}],
	['transaction/getAll', { filters: { cardId: byId(CARD), ...TIMES } }],
	['transaction/getAll', { filters: { status: ['settled'] }, sort: { createdAt: 'asc' } }],
	['transaction/getAll', { returnAll: false, limit: 5, sort: { createdAt: 'desc' } }],
	['settlement/getAll', {}],
	['settlement/getAll', { filters: { cardId: byId(CARD), ...TIMES } }],
	['payment/getAll', DUE],
	['cardEvent/getAll', { cardId: byId(CARD) }],
	['cardEvent/getAll', { cardScope: 'all', period: 'last30Days' }],
	['cardEvent/count', { cardScope: 'all', period: 'last30Days' }],
];

const credentialsWith = (parameterNames: string) =>
	credentialsFor(sandbox.apiUrl, {
		apiKey,
		keyScope: 'customer',
		accountId: '1001',
		parameterNames,
	});

async function run(credentials: Credentials, name: string, more: INodeParameters = {}) {
	const parameters = parametersOf(name, { returnAll: true, ...more });
	const { items, error } = await runNode({ parameters, credentials });
	return { json: items.map((item) => item.json), error };
}

/** The credential with the names that Test API proposes in a dialect. */
async function propose(dialect: Dialect): Promise<Credentials> {
	await client.setDialect(dialect);
	const { json } = await run(credentialsWith('{}'), 'connection/testApi');
	const [names = '{}'] = json.flatMap(({ whatToDo }) => /\{.*\}/.exec(whatToDo as string) ?? []);
	return credentialsWith(names);
}

/** What was read, without what a dialect writes otherwise; or the error, which says what to set. */
async function read(credentials: Credentials, [name, more]: (typeof READS)[number]) {
	const { json, error } = await run(credentials, name, more);
	if (error === undefined) return json.map(({ id, count }) => id ?? count);
	return `${error.message} ${String('description' in error ? error.description : '')}`;
}

const readAll = async (credentials: Credentials) => {
	const all: unknown[] = [];
	for (const each of READS) all.push(await read(credentials, each));
	return all;
};

describe.each(['snake_case', 'minimal', 'strict'] as const)('%s', (dialect) => {
	test('every list: the same records as of the default', async () => {
		const wanted = await readAll(await propose('default'));
		expect(await readAll(await propose(dialect))).toEqual(wanted);
		expect(wanted.flat().every((each) => each !== undefined && each !== '')).toBe(true);
	});

	test('a poll finds a purchase', async () => {
		const poll = createPollingTrigger(await propose(dialect)).activate();
		await poll();
		const { transaction } = await client.authorize({ cardId: CARD, amount: '5.00' });
		expect(await poll()).toMatchObject([{ transactionId: transaction.id }]);
	});
});

const list = fc.constantFrom('envelope' as const, 'data' as const, 'array' as const);
const unpaged = fc.constantFrom('data' as const, 'array' as const);
const end = fc.constantFrom('included' as const, 'excluded' as const);
const parameter = fc.constantFrom(
	'name',
	'status',
	'cardId',
	'sort',
	'createdAfter',
	'createdBefore',
);
const names = fc.constantFrom<Record<string, string>>(
	{},
	{ pageSize: 'per_page', page: 'page_number', sort: 'order', status: 'state' },
	{ createdAfter: 'from', createdBefore: 'until', cardId: 'card', accountId: 'account' },
	// Nobody guesses them.
	{ pageSize: 'take', createdAfter: 'x', status: 'y' },
	{ page: 'z', sort: 'w' },
);

const dialects = fc.record({
	names,
	ignores: fc.uniqueArray(parameter),
	unknown: fc.constantFrom('ignored' as const, 'refused' as const),
	shapes: fc.record({ cards: list, transactions: list, settlements: list, payments: unpaged }),
	paging: fc.constantFrom('pages' as const, 'pages' as const, 'offset' as const, 'none' as const),
	firstPage: fc.constantFrom(0 as const, 1 as const),
	largestPage: fc.constantFrom(7, 20, 100, 1_000),
	largerPage: fc.constantFrom('refused' as const, 'cut' as const),
	beyondEnd: fc.constantFrom('empty' as const, 'not-found' as const, 'last' as const),
	ends: fc.record({ createdAfter: end, createdBefore: end, from: end, to: end }),
	times: fc.constantFrom('utc' as const, 'offset' as const),
});

/** Several pages, without totals, under a name that nobody guesses: only the records show that some are missing. */
const HARDEST: Dialect = {
	names: { page: 'z' },
	shapes: { cards: 'array', transactions: 'array', settlements: 'array' },
	largestPage: 7,
	largerPage: 'cut',
};

test('in any dialect, a list has the same records, or fails and says what to do; never fewer', async () => {
	const own = await propose('default');
	const wanted = await readAll(own);
	let right = 0;
	await fc.assert(
		fc.asyncProperty<[Dialect]>(dialects, async (dialect) => {
			for (const [index, found] of (await readAll(await propose(dialect))).entries()) {
				if (typeof found === 'string') {
					expect(found).toMatch(/Parameter Names|Limit|Filters|provider/);
				} else {
					right++;
					expect([READS[index], found]).toEqual([READS[index], wanted[index]]);
				}
			}
		}),
		{ numRuns: 8, endOnFailure: true, examples: [[HARDEST]] },
	);
	expect(right).toBeGreaterThan(0);
});
