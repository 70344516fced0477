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
	'§5.4: %s /accounts/{id}%s: 403 for an account-scoped key, of its own account too',
	async (method, path, body) => {
		const sandbox = await startSandbox();
		await sandbox.makeKey(1001);
		for (const id of [1001, 1002, 7, 'x']) {
			expect(await sandbox.send(method, `/accounts/${id}${path}`, body)).toEqual(
				errorAnswer(403, 'forbidden'),
			);
		}
	},
);

test.each(endpoints)(
	'§5.5: %s /accounts/{id}%s: 403 while account management is not enabled',
	async (method, path, body) => {
		const sandbox = await startSandbox();
		await sandbox.client.setFeatures(1001, { accountManagement: false });
		expect(await sandbox.send(method, `/accounts/1001${path}`, body)).toEqual(
			errorAnswer(403, 'forbidden'),
		);
		expect(await sandbox.send(method, `/accounts/7${path}`, body)).toEqual(
			errorAnswer(404, 'not-found'),
		);
		for (const id of [1002, 1003]) {
			await sandbox.client.setFeatures(id, { accountManagement: false });
		}
		expect(await sandbox.send(method, `/accounts/7${path}`, body)).toEqual(
			errorAnswer(403, 'forbidden'),
		);
	},
);
