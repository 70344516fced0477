import { operations } from '../support/openapi';
import { errorAnswer, startSandbox } from './support/sandbox.ts';

/** Succeeds with each endpoint that has a body. */
const body = { name: 'Travel', amount: '1.00', toAccountId: 1002 };

test('a renamed account has its new name', async () => {
	const sandbox = await startSandbox();
	const renamed = { id: 1001, name: 'Travel' };
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: ' Travel ' })).toEqual({
		status: 200,
		body: renamed,
	});
	expect((await sandbox.control('GET', '')).body).toMatchObject({ accounts: [renamed, {}, {}] });
});

test.each(
	operations
		.filter(({ path }) => path.includes('{account-id}'))
		.map(({ method, path }) => [method, path] as const),
)(
	'%s %s: 403 for an account-scoped key (§5.4), and without account management (§5.5)',
	async (method, path) => {
		const sandbox = await startSandbox();
		const forbidden = errorAnswer(403, 'forbidden');
		const send = (id: number | string) =>
			sandbox.send(
				method,
				path.replace('{account-id}', String(id)),
				method === 'GET' ? undefined : body,
			);
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
