import { writeFileSync } from 'node:fs';

import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { parseOptions } from '../../sandbox/cli/options.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { temporaryFile } from './support/cli.ts';
import { call, cardId } from './support/sandbox.ts';

// Not by startSandbox of ./support, which checks every response against openapi.yaml.

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(dialect?: SandboxOptions['dialect']) {
	sandbox = await startSandbox(dialect === undefined ? {} : { dialect });
	const client = new SandboxClient(sandbox.url);
	const headers = { authorization: `Bearer ${await client.createKey()}` };
	const get = async (path: string) => await call('GET', sandbox.apiUrl + path, { headers });
	return { client, get, headers };
}

type Row = Record<string, unknown>;
const rowsOf = (body: unknown) =>
	Array.isArray(body) ? (body as Row[]) : (body as { data: Row[] }).data;
const idsOf = (body: unknown) => rowsOf(body).map(({ id }) => id);

test('the control plane changes the dialect at any time; a reset keeps it', async () => {
	const { client, get } = await start();
	const { body: own } = await get('/cards');
	await client.setDialect('minimal');
	expect(await get('/cards?status=frozen')).toMatchObject({ body: rowsOf(own) });
	await client.setDialect('default');
	expect((await get('/cards?status=frozen')).body).toMatchObject({ totalItemCount: 2 });
	await client.setDialect('minimal');
	await call('POST', `${sandbox.url}/sandbox/reset`, { body: '{}' });
	const kept = await call('GET', `${sandbox.url}/sandbox/dialect`);
	expect(kept).toEqual({ status: 200, body: { dialect: 'minimal' } });
});

test('strict: 400 for an unknown parameter, but 401 first; other paths take any', async () => {
	const { get } = await start('strict');
	expect(await get('/cards?color=red')).toMatchObject({
		status: 400,
		body: { message: 'unknown parameter color' },
	});
	expect(await call('GET', `${sandbox.apiUrl}/cards?color=red`)).toMatchObject({ status: 401 });
	expect(await get('/balance?color=red')).toMatchObject({ status: 200 });
	expect(await get('/transactions?status=settled&sort=asc&pageSize=2')).toMatchObject({
		status: 200,
		body: { page: 1, pageSize: 2, totalItemCount: 28 },
	});
});

test.each<[Record<string, unknown>, string, number[]]>([
	[{ firstPage: 0 }, 'page=1&pageSize=3', [3, 4, 5]],
	[{ paging: 'offset' }, 'page=1&pageSize=3', [1, 2, 3]],
	[{ paging: 'none' }, 'page=2&pageSize=3', Array.from({ length: 44 }, (_, index) => index)],
	[{ largestPage: 2, largerPage: 'cut' }, 'page=2&pageSize=3', [2, 3]],
	[{ beyondEnd: 'last' }, 'page=9&pageSize=40', [40, 41, 42, 43]],
	[{ ignores: ['page'] }, 'page=2&pageSize=3', [0, 1, 2]],
	[{ names: { page: 'p' } }, 'p=2&page=5&pageSize=3', [3, 4, 5]],
])('%j: ?%s', async (dialect, query, positions) => {
	const { client, get } = await start({ ...dialect, shapes: { transactions: 'array' } });
	const { body } = await get(`/transactions?${query}`);
	await client.setDialect('default');
	const all = idsOf((await get('/transactions')).body);
	expect(idsOf(body)).toEqual(positions.map((position) => all[position]));
});

test.each([
	[{ largestPage: 2 }, 'pageSize=3', 400],
	[{ beyondEnd: 'not-found' }, 'page=9', 404],
	[{ beyondEnd: 'not-found' }, 'page=1&createdAfter=2099-01-01T00:00:00Z', 200],
])('%j: ?%s is a %i', async (dialect, query, status) => {
	const { get } = await start(dialect);
	expect(await get(`/transactions?${query}`)).toMatchObject({ status });
});

test('the ends of a range are included or not', async () => {
	const { client, get } = await start();
	const [, second] = rowsOf((await get('/transactions')).body);
	const [payment] = rowsOf(
		(await get('/payments?accountId=1001&from=2026-01-01&to=2026-12-31')).body,
	);
	const day = String(payment?.dueDate);
	const [from, until] = ['createdAfter', 'createdBefore'].map(
		(name) => `${name}=${String(second?.createdAt)}`,
	);
	const has = async () => [
		idsOf((await get(`/transactions?${from}`)).body).includes(second?.id),
		idsOf((await get(`/transactions?${until}`)).body).includes(second?.id),
		idsOf((await get(`/payments?accountId=1001&from=${day}&to=${day}`)).body).length > 0,
	];
	expect(await has()).toEqual([true, false, true]);
	const ends = { createdAfter: 'excluded', createdBefore: 'included', from: 'excluded' };
	await client.setDialect({ ends });
	expect(await has()).toEqual([false, true, false]);
});

test('amounts as numbers and times with an offset, in every response', async () => {
	const { client, get } = await start();
	const paths = [
		'/transactions',
		`/cards/${cardId(1)}`,
		'/balance',
		`/cards/${cardId(1)}/financial-events`,
	];
	const own = await Promise.all(paths.map(get));
	await client.setDialect({ amounts: 'numbers', times: 'offset' });
	const others = await Promise.all(paths.map(get));
	const toOwn = (key: string, value: unknown) => {
		if (key === 'createdAt') {
			expect(value).toMatch(/\+02:00$/);
			return new Date(value as string).toISOString();
		}
		const isCount = /^(page|total)/.test(key);
		return typeof value === 'number' && !isCount ? value.toFixed(2) : value;
	};
	for (const [index, { body }] of others.entries()) {
		expect(JSON.stringify(body)).not.toMatch(/"\d+\.\d\d"/);
		expect(JSON.parse(JSON.stringify(body, toOwn))).toEqual(own[index]?.body);
	}
});

test('no events of clearings', async () => {
	const { client, get } = await start();
	const { transaction } = await client.authorize({ cardId: cardId(3), amount: '5.00' });
	await client.simulateStep('clearing', transaction.id);
	const path = `/cards/${cardId(3)}/financial-events`;
	const countOf = async () => {
		const rows = rowsOf((await get(path)).body);
		return rows.filter(({ transactionId }) => transactionId === transaction.id).length;
	};
	expect(await countOf()).toBe(2);
	await client.setDialect({ clearings: 'none' });
	expect(await countOf()).toBe(1);
});

test('--dialect takes a name or a file', async () => {
	const file = temporaryFile('dialect.json');
	writeFileSync(file, '{"firstPage": 0}');
	expect(parseOptions(['--dialect', 'strict']).dialect).toBe('strict');
	const { dialect } = parseOptions(['--dialect', file]);
	const { get } = await start(dialect);
	expect((await get('/cards?page=0')).body).toMatchObject({ page: 0, totalItemCount: 13 });
	expect(() => parseOptions(['--dialect', 'x'])).toThrow('snake_case, minimal, strict or a JSON');
});
