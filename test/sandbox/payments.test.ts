import { startSandbox } from './support/sandbox.ts';

const start = () => startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
const YEAR = 'from=2025-03-27&to=2026-03-27';

test('payments of the named account that are due in the range, both days included', async () => {
	const sandbox = await start();
	const paid = {
		id: 'fa730000-0000-4000-8000-000000000004',
		amount: '7154.10',
		dueDate: '2026-02-03',
		status: 'paid',
		type: 'manual',
		descriptor: 'Operating card balance',
	};
	const path = '/payments?from=2026-02-03&to=2026-02-03';
	expect(await sandbox.api('GET', `${path}&accountId=1001`)).toEqual({
		status: 200,
		body: { data: [paid] },
	});
	await sandbox.makeKey(1001);
	expect((await sandbox.api('GET', path)).body).toEqual({ data: [paid] });
});

test.each<[string, number, scope?: string]>([
	[YEAR, 400, 'customer'],
	[`${YEAR}&accountId=9999`, 400, 'customer'],
	[`${YEAR}&accountId=1002`, 400],
	[`${YEAR}&accountId=1001`, 200],
	[YEAR, 200],
	['from=2025-03-27&to=2026-03-28', 400],
	['from=2024-02-29&to=2025-02-28', 200],
	['from=2024-02-29&to=2025-03-01', 400],
	['from=2023-02-28&to=2024-02-28', 200],
	['from=2023-02-28&to=2024-02-29', 400],
	['from=2023-03-01&to=2024-02-29', 200],
	['from=9999-01-01&to=9999-12-31', 200],
	['from=9998-12-31&to=9999-12-31', 200],
	['from=0000-01-01&to=0001-01-01', 200],
	['from=2026-03-02&to=2026-03-01', 400],
	['from=2026-03-02', 400],
	['to=2026-03-02', 400],
])('%s gives %d', async (query, status, scope = 'account') => {
	const sandbox = await start();
	if (scope !== 'customer') await sandbox.makeKey(1001);
	expect((await sandbox.api('GET', `/payments?${query}`)).status).toBe(status);
});

test.each([
	['paid', 'fa730000-0000-4000-8000-000000000004', '2026-03-15T12:00:00Z'],
	['scheduled until its due date', 'fa730000-0000-4000-8000-000000000005', '2026-03-27T00:00:00Z'],
])('a payment that was %s cannot be moved', async (_, id, time) => {
	const sandbox = await start();
	await sandbox.client.setClock(new Date(time));
	const before = (await sandbox.api('GET', `/payments?${YEAR}&accountId=1001`)).body;
	const moved = await sandbox.control('POST', `/payments/${id}/due`, { days: 1 });
	expect(moved).toMatchObject({
		status: 404,
		body: { message: 'No scheduled payment has this ID' },
	});
	expect((await sandbox.api('GET', `/payments?${YEAR}&accountId=1001`)).body).toEqual(before);
});

test.each(['from', 'to'])('a wrong date %s is complained about once', async (name) => {
	const sandbox = await start();
	const query = new URLSearchParams({ from: '2026-01-01', to: '2026-03-01', [name]: '2026-13-01' });
	const { body } = await sandbox.api('GET', `/payments?accountId=1001&${query.toString()}`);
	expect(body).toMatchObject({ message: `${name}: expected YYYY-MM-DD` });
});

test('a scheduled payment can be due tomorrow, and the credit stays used', async () => {
	const sandbox = await start();
	await sandbox.makeKey(1001);
	const balance = async () => (await sandbox.api('GET', '/balance')).body;
	const before = await balance();
	const id = 'fa730000-0000-4000-8000-000000000005';
	const move = (days: number) => sandbox.control('POST', `/payments/${id}/due`, { days });
	expect(await move(1)).toMatchObject({ status: 200, body: { id, dueDate: '2026-03-16' } });
	const { body } = await sandbox.api('GET', '/payments?from=2026-03-16&to=2026-03-16');
	expect(body).toMatchObject({ data: [{ id, status: 'scheduled', amount: '4930.25' }] });
	expect(await balance()).toEqual(before);
	expect(await move(0)).toMatchObject({ status: 400 });
});
