import { temporaryFile } from './support/cli.ts';
import { cardId, errorAnswer, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const WEBHOOK = { url: 'http://127.0.0.1:9/', secret: 'secret-of-tests' };

const bearer = (key: string | undefined) => `Bearer ${key ?? ''}`;

test('a reset goes back to the state of the start, with its data, clock, key and endpoints', async () => {
	const options = { apiKey: 'key-of-tests', webhooks: [WEBHOOK], now: () => NOW };
	const sandbox = await startSandbox(options);
	const state = async () => [
		await sandbox.client.overview(),
		(await sandbox.control('GET', '/endpoints')).body,
		(await sandbox.control('GET', '/clock')).body,
		(await sandbox.control('GET', '/faults')).body,
		(await sandbox.api('GET', `/cards/${cardId(1)}`, bearer('key-of-tests'))).body,
	];
	const start = await state();
	await sandbox.api('POST', `/cards/${cardId(1)}/archive`);
	await sandbox.client.authorize({ amount: '1.00' });
	const added = await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/more');
	await sandbox.client.rotateSecret(added.id);
	await sandbox.client.setFeatures(1002, { webhooks: false });
	await sandbox.client.setClock(new Date('2027-03-15T12:00:00Z'));
	await sandbox.client.setFaults([{ kind: 'duplicate' }]);
	const key = await sandbox.makeKey(1001);
	expect(await sandbox.control('POST', '/reset')).toMatchObject({
		body: { counts: { cards: 13 } },
	});
	expect(await sandbox.client.requests()).toEqual([]);
	expect(await sandbox.api('GET', '/health', bearer(key))).toEqual(
		errorAnswer(401, 'unauthorized'),
	);
	expect(await state()).toEqual(start);
});

test('a reset takes the data of the start, or other data; endpoints follow the accounts', async () => {
	const accounts = [{ id: 7, name: 'Berlin', creditLimit: '1.00' }];
	const sandbox = await startSandbox({ seed: { accounts }, webhooks: [WEBHOOK] });
	const afterReset = async (body: object) => {
		await sandbox.control('POST', '/reset', body);
		const { counts } = await sandbox.client.overview();
		return [counts.cards, counts.endpoints, (await sandbox.api('GET', '/health')).status];
	};
	expect(await afterReset({ seed: 'small' })).toEqual([13, 3, 200]);
	expect(await afterReset({})).toEqual([0, 1, 200]);
});

test('the random key of a start is the same after a reset', async () => {
	const sandbox = await startSandbox();
	const { apiKey } = sandbox;
	await sandbox.makeKey(1001);
	await sandbox.control('POST', '/reset');
	expect((await sandbox.api('GET', '/health', bearer(apiKey))).status).toBe(200);
});

test('the key of a file goes on, and survives a reset to data with its account', async () => {
	const db = temporaryFile('sandbox.sqlite');
	const first = await startSandbox({ db });
	const key = await first.makeKey(1002);
	await first.close();
	const sandbox = await startSandbox({ db });
	expect(sandbox.apiKey).toBe(key);
	const statusAfter = async (seed: unknown) => {
		await sandbox.control('POST', '/reset', { seed });
		return (await sandbox.api('GET', '/balance')).status;
	};
	expect(await statusAfter('small')).toBe(200);
	expect(await statusAfter({ accounts: [{ id: 7, name: 'Berlin', creditLimit: '1.00' }] })).toBe(
		401,
	);
});
