import { cardId, startSandbox, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const get = async ({ url }: TestSandbox, path: string) => await fetch(`${url}/dashboard/${path}`);
const text = async (sandbox: TestSandbox, path: string) => await (await get(sandbox, path)).text();

const EVIL = '<img src=x onerror=alert(1)>';
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;';

test('names are escaped on every page', async () => {
	const sandbox = await startSandbox();
	await sandbox.send('PATCH', '/accounts/1001', { name: EVIL });
	await sandbox.send('PATCH', `/cards/${cardId(3)}`, { name: EVIL });
	const purchase = { cardId: cardId(3), amount: '1.00', merchantName: EVIL };
	const { transaction } = await sandbox.client.authorize(purchase);
	for (const path of [
		'accounts',
		'accounts/1001',
		'cards',
		'cards/new',
		`cards/${cardId(3)}`,
		'transactions',
		`transactions/${transaction.id}`,
		'controls',
		`cards?search=${encodeURIComponent(EVIL)}`,
	]) {
		const shown = await text(sandbox, path);
		expect([path, shown.includes(ESCAPED), shown.includes(EVIL)]).toEqual([path, true, false]);
	}
});

test.each([
	['cards', 'cards', 5],
	['transactions', 'transactions', 5],
	['webhooks', 'deliveries', 1],
])('on the page %s, the list of %s requests itself every %i s', async (path, id, seconds) => {
	const shown = await text(await startSandbox(), path);
	const [, trigger] = new RegExp(`id="${id}"[^>]*hx-trigger="([^"]+)"`).exec(shown) ?? [];
	expect(trigger).toBe(`every ${seconds}s, refresh from:document`);
});

test.each(['cards', 'transactions', 'accounts', 'requests'])(
	'an unknown ID of %s: 404',
	async (kind) => {
		const sandbox = await startSandbox();
		expect((await get(sandbox, `${kind}/${UNKNOWN_ID}`)).status).toBe(404);
	},
);

test.each([
	'cards',
	'accounts/1001',
	'accounts/1001/transfers',
	'controls/clock',
	'controls/clock/reset',
	'controls/faults',
	'controls/faults/reset',
	'controls/features/1001',
	'controls/reset',
])('a foreign web page cannot post to %s', async (path) => {
	const sandbox = await startSandbox();
	const before = await sandbox.client.overview();
	const response = await fetch(`${sandbox.url}/dashboard/${path}`, {
		method: 'POST',
		headers: { origin: 'https://evil.example' },
		body: new URLSearchParams({ confirmed: 'yes', seed: 'none', now: '2031-01-01T00:00:00Z' }),
	});
	expect(response.status).toBe(403);
	const { counts, accounts } = await sandbox.client.overview();
	expect({ counts, accounts }).toEqual({ counts: before.counts, accounts: before.accounts });
	expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ adjusted: false });
});

test('every card and transaction of a large company is reachable', async () => {
	const sandbox = await startSandbox({ seed: 'large' });
	const ids = new Set<string>();
	for (let page = 1; page <= 11; page++) {
		const shown = await text(sandbox, `cards?page=${page}`);
		for (const [, id = ''] of shown.matchAll(/id="card-([^"]+)"/g)) ids.add(id);
	}
	expect(ids.size).toBe(253);
	const { body } = await sandbox.api('GET', '/transactions?sort=asc&pageSize=1');
	const [oldest = ''] = /7a5a[0-9a-f-]{32}|[0-9a-f-]{36}/.exec(JSON.stringify(body)) ?? [];
	expect(await text(sandbox, `transactions?search=${oldest}`)).toContain(`transaction-${oldest}`);
	expect(await text(sandbox, 'transactions?page=4000')).toContain(`transaction-${oldest}`);
	expect((await get(sandbox, `transactions/${oldest}`)).status).toBe(200);
});

test('a list shows what matches the account, status and search together', async () => {
	const sandbox = await startSandbox();
	const shown = async (query: string) =>
		(await text(sandbox, `cards?${query}`)).match(/id="card-/g)?.length ?? 0;
	expect(await shown('')).toBe(13);
	expect(await shown('accountId=1002')).toBe(6);
	expect(await shown('accountId=1002&status=archived')).toBe(2);
	expect(await shown('accountId=1002&status=archived&search=catering')).toBe(1);
	expect(await shown('accountId=1001&search=catering')).toBe(0);
});

test.each([
	['cardId', `cardId=${UNKNOWN_ID}`],
	['cardId and accountId', `cardId=${cardId(3)}&accountId=1002`],
])('transactions filtered by %s stay filtered when the list requests itself', async (_, query) => {
	const sandbox = await startSandbox();
	const listed = async (path: string) => {
		const shown = await text(sandbox, path);
		expect(shown).toContain('No matching transactions.');
		expect(shown).not.toContain('id="transaction-');
		return shown;
	};
	const shown = await listed(`transactions?${query}`);
	const [, url = ''] = /id="transactions"\s+hx-get="\/dashboard\/([^"]+)"/.exec(shown) ?? [];
	await listed(url.replaceAll('&amp;', '&'));
});

test('without account management a transfer on the dashboard is refused, as by the API', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.setFeatures(1001, { accountManagement: false });
	const response = await fetch(`${sandbox.url}/dashboard/accounts/1001/transfers`, {
		method: 'POST',
		body: new URLSearchParams({ toAccountId: '1002', amount: '1.00' }),
	});
	expect(response.status).toBe(403);
});
