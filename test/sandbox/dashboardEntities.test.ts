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
