import { createIds } from '../../sandbox/database/ids.ts';
import { createCard, startSandbox, type TestSandbox } from './support/sandbox.ts';

const OPTIONS = {
	clock: '2026-03-15T12:00:00Z',
	webhooks: [{ url: 'http://127.0.0.1:9/', secret: 'secret-of-tests' }],
};

/** What a sandbox makes up: IDs, digits and secrets. */
async function madeUp(sandbox: TestSandbox) {
	const card = await createCard(sandbox);
	const { client, apiKey } = sandbox;
	const { transaction, event, deliveries } = await client.authorize({
		cardId: card,
		amount: '1.00',
	});
	const refunded = [
		await client.simulateStep('clearing', transaction.id),
		await client.simulateStep('refund', transaction.id),
	];
	const transfer = { amount: '1.00', toAccountId: 1002 };
	return {
		...{ apiKey, transaction, event, deliveries, refunded },
		card: (await sandbox.api('GET', `/cards/${card}`)).body,
		settlements: (await sandbox.api('GET', '/settlements')).body,
		transfer: (await sandbox.send('POST', '/accounts/1001/transfers', transfer)).body,
		endpoint: await client.subscribe(1001, 'http://127.0.0.1:9/more'),
	};
}

test('with the same number, what is made up is the same in each run and after a reset', async () => {
	const sandbox = await startSandbox({ ...OPTIONS, ids: 42 });
	const first = await madeUp(sandbox);
	await sandbox.control('POST', '/reset');
	expect(await madeUp(sandbox)).toEqual(first);
	expect(await madeUp(await startSandbox({ ...OPTIONS, ids: 42 }))).toEqual(first);
	const other = await madeUp(await startSandbox({ ...OPTIONS, ids: 43 }));
	expect(other.apiKey).not.toBe(first.apiKey);
	expect(other.transaction.id).not.toBe(first.transaction.id);
	expect(other.endpoint.signingSecret).not.toBe(first.endpoint.signingSecret);
});

test.each([undefined, 0, 99_999_999])(
	'IDs, digits and secrets of series %p differ and have their form',
	(series) => {
		const ids = createIds(series);
		const made = Array.from({ length: 100 }, () => [ids.uuid(), ids.secret()]).flat();
		expect(new Set(made).size).toBe(200);
		const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
		expect(ids.uuid()).toMatch(uuid);
		expect(ids.secret()).toMatch(/^[\w-]{43}$/);
		expect(ids.lastFour()).toMatch(/^\d{4}$/);
	},
);
