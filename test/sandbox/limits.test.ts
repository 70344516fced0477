import { MAX_NAME_LENGTH } from '../../sandbox/assumptions.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

test('names have at most 255 characters', async () => {
	const sandbox = await startSandbox();
	// Each of them is two units of a JavaScript string.
	const longest = '💳'.repeat(MAX_NAME_LENGTH);
	const tooLong = {
		status: 400,
		body: { code: 'bad-request', message: 'name: must not be longer than 255 characters' },
	};
	const card = { type: 'recurring' };
	expect(await sandbox.send('POST', '/cards', { ...card, name: longest })).toMatchObject({
		status: 201,
	});
	expect(await sandbox.send('POST', '/cards', { ...card, name: `${longest}x` })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', `/cards/${CARD}`, { name: 'x'.repeat(256) })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: 'x'.repeat(256) })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: 'x'.repeat(255) })).toMatchObject({
		status: 200,
	});
});

test.each([
	['/endpoints', { accountId: 1001, url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 'url'],
	[
		'/simulate/authorization',
		{ cardId: CARD, amount: '1.00', merchantName: 'x'.repeat(256) },
		'merchantName',
	],
	[
		'/simulate/authorization',
		{ cardId: CARD, amount: '1.00', decline: { reason: 'x'.repeat(256) } },
		'decline.reason',
	],
])('the length of fields in lists is limited: %s %#', async (path, body, field) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control('POST', path, body)).toEqual({
		status: 400,
		body: {
			code: 'bad-request',
			message: expect.stringMatching(`^${field}: .*at most \\d+ character`),
		},
	});
});
