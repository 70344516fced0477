import { send, useFakeClock } from '../support/execute';
import { parametersOf } from '../support/operations';

useFakeClock();

test('rename', async () => {
	const account = { id: 1001, name: 'Ops ' };
	const rename = parametersOf('account/rename', { accountId: ' 1001 ', name: ' Ops ' });
	const { json, sent } = await send(rename, account);
	expect(sent).toEqual([
		{ method: 'PATCH', path: '/accounts/1001', query: {}, body: { name: 'Ops' } },
	]);
	expect(json).toEqual([account]);
});

test('a response with another account or name is no rename', async () => {
	const rename = parametersOf('account/rename', { accountId: '1001', name: 'Ops' });
	for (const other of [
		{ id: 1002, name: 'Ops' },
		{ id: 1001, name: 'Old' },
	]) {
		const { error } = await send(rename, other);
		expect(error?.message).toContain('instead of the renamed account');
		expect(error?.description).toContain('The outcome is unknown');
	}
});
