import '../support/noWaits';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode } from '../../dev/harness/core/runNode.ts';
import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { parametersOf } from '../support/operations';

// Test API against each dialect of the sandbox, in n8n's own engine and HTTP client.

type Dialect = NonNullable<SandboxOptions['dialect']>;
type Row = Record<'topic' | 'question' | 'result' | 'evidence' | 'whatToDo' | 'section', string>;

let sandbox: Sandbox;
let client: SandboxClient;
let apiKey: string;
const requests: string[] = [];

beforeAll(async () => {
	sandbox = await startSandbox({
		onExchange: ({ method, path, query }) => requests.push(`${method} ${path}?${query.toString()}`),
	});
	client = new SandboxClient(sandbox.url);
	apiKey = await client.createKey();
});
afterAll(() => sandbox.close());

async function testApi(dialect: Dialect, parameterNames = '{}') {
	await client.setDialect(dialect);
	requests.length = 0;
	const key = { apiKey, keyScope: 'customer', accountId: '1001', parameterNames };
	const credentials = credentialsFor(sandbox.apiUrl, key);
	const { items, error } = await runNode({
		parameters: parametersOf('connection/testApi'),
		credentials,
	});
	expect(error).toBeUndefined();
	const rows = items.map(({ json }) => json as Row);
	expect(Object.keys(rows[0] ?? {}).join()).toBe('question,result,whatToDo,evidence,topic,section');
	expect(rows.filter(({ whatToDo }) => whatToDo === '')).toEqual([]);
	const [proposed, other] = new Set(rows.flatMap(({ whatToDo }) => /\{.*\}/.exec(whatToDo) ?? []));
	expect(other).toBeUndefined();
	return { rows, proposed };
}

const BARE = { shapes: { cards: 'array', transactions: 'array', settlements: 'array' } };
const SNAKE = {
	pageSize: 'page_size',
	createdAfter: 'created_after',
	createdBefore: 'created_before',
	cardId: 'card_id',
	accountId: 'account_id',
};
const ALL = ['cards', 'transactions', 'settlements'];

/** The same result in some lists. */
const of = (question: string, result: string, lists = ALL) =>
	lists.map((list) => `${list}: ${question} ${result}`);

const works = (parameter: string, result: string, lists?: string[]) =>
	of(`Does ${parameter} work?`, result, lists);

const NO_TOTALS = of('Is there a total?', 'different');
const END = 'Does the list end with its total?';
const FILTERS: [string, string[]][] = [
	['status', ['cards', 'transactions']],
	['cardId', ['transactions', 'settlements']],
	['createdAfter', ALL],
	['createdBefore', ALL],
];
const IN_SNAKE_CASE = [
	...works('pageSize', 'different'),
	...works('createdAfter', 'different'),
	...works('createdBefore', 'different'),
	...works('cardId', 'different', ['transactions', 'settlements']),
	...works('accountId', 'different', ['payments']),
];

const STRICT = { unknown: 'refused' } as const;
const PAGE = works('page', 'different');
const ends = { createdAfter: 'excluded', createdBefore: 'included', from: 'excluded' } as const;
const UNGUESSED = { pageSize: 'take', status: 'x', sort: 'y' };
const NO_FILTERS = FILTERS.flatMap(([filter, lists]) => works(filter, 'ignored', lists));
const NO_PAGES = [...works('pageSize', 'ignored'), ...works('page', 'ignored')];
const AMOUNTS = ['transactions', 'settlements', 'events', 'payments'];

const TABLE: [name: string, dialect: Dialect, differences: string[], proposed?: object][] = [
	['default', 'default', []],
	['snake_case', 'snake_case', IN_SNAKE_CASE, SNAKE],
	['minimal', 'minimal', [...NO_TOTALS, ...NO_FILTERS]],
	['strict', 'strict', []],
	['strict, other names', { ...STRICT, names: SNAKE }, IN_SNAKE_CASE, SNAKE],
	[
		'strict, names that nobody guesses',
		{ ...STRICT, names: UNGUESSED },
		// What is not to be sent is not asked again.
		[
			...['pageSize', 'status'].flatMap((name) => works(name, 'refused', ['cards'])),
			...works('sort', 'refused'),
		],
		{ pageSize: '', status: '' },
	],
	['another name of the page', { names: { page: 'page_number' } }, PAGE, { page: 'page_number' }],
	['page 0 is the first', { firstPage: 0 }, PAGE],
	['from 0, named', { firstPage: 0, names: { page: 'pageNumber' } }, works('page', 'ignored')],
	['an offset', { paging: 'offset' }, PAGE],
	['whole lists', { paging: 'none', ...BARE }, [...NO_TOTALS, ...NO_PAGES]],
	['at most 50', { largestPage: 50 }, works('pageSize', 'different', ['cards']), { pageSize: '' }],
	['pages cut to 20', { largestPage: 20, largerPage: 'cut' }, []],
	['the last page again after the total', { beyondEnd: 'last' }, []],
	[
		'the same without a total',
		{ beyondEnd: 'last', ...BARE },
		[...NO_TOTALS, ...of(END, 'different')],
	],
	['404 beyond the end', { beyondEnd: 'not-found' }, []],
	['no order', { ignores: ['sort'] }, works('sort', 'ignored')],
	['numbers', { amounts: 'numbers' }, of('Are amounts strings?', 'different', AMOUNTS)],
	['times with an offset', { times: 'offset' }, []],
	['no events of clearings', { clearings: 'none' }, []],
	['other ends of ranges', { ends: { ...ends, to: 'excluded' } }, []],
];

// Jest takes a missing fourth argument for its own callback.
const rows = TABLE.map(([name, dialect, differences, proposed]) => {
	return { name, dialect, differences, proposed };
});

test.each(rows)('$name: exactly its differences', async ({ dialect, differences, proposed }) => {
	const { rows: items, ...first } = await testApi(dialect);
	const found = items.filter(({ result }) => !/as assumed|no data/.test(result));
	expect(
		found.map(({ topic, question, result }) => `${topic}: ${question} ${result}`).sort(),
	).toEqual([...differences].sort());
	expect(first.proposed && JSON.parse(first.proposed)).toEqual(proposed);
	expect(requests.length).toBeLessThanOrEqual(60);
	expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	// What needs attention comes first.
	expect(items.slice(0, found.length)).toEqual(found);
	// With the proposal in place, it proposes nothing else.
	if (proposed) expect((await testApi(dialect, first.proposed)).proposed).toBeUndefined();
});
