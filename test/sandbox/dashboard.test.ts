import { request } from 'undici';
import { runCli } from './support/cli.ts';
import {
	call,
	cardId,
	errorAnswer,
	startSandbox,
	UNKNOWN_ID,
	type TestSandbox,
} from './support/sandbox.ts';

const TABS = ['api', 'webhooks', 'simulate', 'cards', 'transactions'];

const page = async (sandbox: TestSandbox, tab: string) =>
	await (await fetch(`${sandbox.url}/dashboard/${tab}`)).text();

test('the greeting names the dashboard, and its address leads to the API tab', async () => {
	const cli = runCli('--port', '0');
	const url = await cli.url();
	const [, dashboard = ''] = /Dashboard +(\S+)/.exec(cli.output().stdout) ?? [];
	const response = await fetch(dashboard);
	expect(response.url).toBe(`${url}/dashboard/api`);
	expect(await response.text()).toContain(`value="${url}/v1/public"`);
});

test('pages allow nothing inline and nothing of another origin', async () => {
	const sandbox = await startSandbox();
	for (const tab of TABS) {
		const { headers } = await fetch(`${sandbox.url}/dashboard/${tab}`);
		const policy = headers.get('content-security-policy')?.split('; ');
		expect(policy).toEqual(
			expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
		);
		expect(policy).toEqual(
			expect.arrayContaining(["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]),
		);
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		const text = await page(sandbox, tab);
		expect(text).not.toMatch(/<style|style=|<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
	}
});

test('every file that pages and scripts name is there, with its content type', async () => {
	const sandbox = await startSandbox();
	const types: Record<string, string> = {
		css: 'text/css; charset=utf-8',
		js: 'text/javascript; charset=utf-8',
		svg: 'image/svg+xml',
	};
	const pages = await Promise.all(TABS.map((tab) => page(sandbox, tab)));
	const files = new Set(pages.flatMap((text) => text.match(/(?<=assets\/)[\w.]+/g) ?? []));
	expect(files.size).toBeGreaterThan(TABS.length);
	for (const file of files) {
		const response = await fetch(`${sandbox.url}/dashboard/assets/${file}`);
		expect([file, response.status]).toEqual([file, 200]);
		const [extension = ''] = /\w+$/.exec(file) ?? [];
		expect(response.headers.get('content-type')).toBe(types[extension]);
		for (const name of (await response.text()).match(/(?<=from '\.\/)[\w.]+/g) ?? [])
			files.add(name);
	}
});

test.each(['tsconfig.json', 'types.d.ts', 'missing.js', '..%2Froutes.ts', '..%2F..%2Fapp.ts'])(
	'the asset %s is not given out',
	async (name) => {
		const sandbox = await startSandbox();
		expect(await call('GET', `${sandbox.url}/dashboard/assets/${name}`)).toEqual(
			errorAnswer(404, 'not-found'),
		);
	},
);

test('a foreign Host is refused (DNS rebinding)', async () => {
	const sandbox = await startSandbox();
	const { statusCode } = await request(`${sandbox.url}/dashboard/api`, {
		headers: { host: 'evil.example' },
	});
	expect(statusCode).toBe(403);
});

test('the control plane lists the cards of all accounts with what is left of their limits', async () => {
	// At the beginning of a month less of the monthly limits would be spent.
	const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
	const { body } = await sandbox.control('GET', '/cards?pageSize=1&sort=asc');
	expect(body).toMatchObject({ page: 1, pageSize: 1, totalItemCount: 13, totalPages: 13 });
	const all = await sandbox.control('GET', '/cards');
	expect(all.body).toMatchObject({
		data: expect.arrayContaining([
			expect.objectContaining({ id: cardId(3), accountId: 1001, status: 'active' }),
			expect.objectContaining({
				id: cardId(9),
				accountId: 1002,
				balance: '672.00',
				limit: { amount: '800.00', type: 'monthly' },
			}),
		]),
	});
});

test('the control plane lists transactions with their card and what can become of them', async () => {
	const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
	const first = async (status: string) =>
		(await sandbox.control('GET', `/transactions?status=${status}&pageSize=1`)).body;
	const card = { name: 'Client dinners', lastFour: '7318', accountId: 1002 };
	expect(await first('pending')).toMatchObject({
		data: [{ amount: '184.20', card, held: '184.20', refundable: '0.00' }],
		totalItemCount: 5,
	});
	expect(await first('settled')).toMatchObject({
		data: [{ amount: '1250.00', held: '0.00', refundable: '1250.00' }],
	});
	expect(await first('declined')).toMatchObject({ data: [{ held: '0.00', refundable: '0.00' }] });
});

test.each([
	['/cards?pageSize=101', 'pageSize'],
	['/transactions?status=lost', 'status'],
])('GET %s: 400 that names the parameter', async (path, named) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control('GET', path)).toMatchObject({
		status: 400,
		body: { message: expect.stringContaining(named) },
	});
});

test('the control plane changes a card’s status as §3 says', async () => {
	const sandbox = await startSandbox();
	const act = async (action: string, id = cardId(3)) =>
		(await sandbox.control('POST', `/cards/${id}/${action}`)).status;
	const status = async () => (await sandbox.api('GET', `/cards/${cardId(3)}`)).body;
	expect(await act('freeze', cardId(3).toUpperCase())).toBe(204);
	expect(await status()).toMatchObject({ status: 'frozen' });
	expect(await act('unfreeze')).toBe(204);
	expect(await status()).toMatchObject({ status: 'active' });
	expect(await act('archive')).toBe(204);
	expect(await act('archive')).toBe(204);
	expect(await act('unfreeze')).toBe(400);
	expect(await status()).toMatchObject({ status: 'archived' });
	expect(await act('freeze', UNKNOWN_ID)).toBe(404);
});
