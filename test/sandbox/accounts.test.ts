import { errorAnswer, startSandbox } from './support/sandbox.ts';

const rename = { name: 'Travel' };
const transfer = { amount: '1.00', toAccountId: 1002 };

/** Both Account endpoints, with a request that succeeds for account 1001. */
const endpoints: [string, string, unknown][] = [
	['PATCH', '', rename],
	['POST', '/transfers', transfer],
];

test('a renamed account has its new name', async () => {
	const sandbox = await startSandbox();
	const renamed = { id: 1001, name: 'Travel' };
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: ' Travel ' })).toEqual({
		status: 200,
		body: renamed,
	});
	expect((await sandbox.control('GET', '')).body).toMatchObject({ accounts: [renamed, {}, {}] });
});

test.each(endpoints)(
	'%s /accounts/{id}%s: 403 for an account-scoped key (§5.4), and without account management (§5.5)',
	async (method, path, body) => {
		const sandbox = await startSandbox();
		const forbidden = errorAnswer(403, 'forbidden');
		const send = (id: number | string) => sandbox.send(method, `/accounts/${id}${path}`, body);
		await sandbox.makeKey(1001);
		for (const id of [1001, 1002, 7, 'x']) expect(await send(id)).toEqual(forbidden);
		await sandbox.makeKey();
		const turnOff = (id: number) => sandbox.client.setFeatures(id, { accountManagement: false });
		await turnOff(1001);
		expect([await send(1001), await send(7)]).toEqual([forbidden, errorAnswer(404, 'not-found')]);
		for (const id of [1002, 1003]) await turnOff(id);
		expect(await send(7)).toEqual(forbidden);
	},
);
