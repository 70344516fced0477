import { cardId, refused, startSandbox } from './support/sandbox.ts';

const CARD = cardId(2);

test('name, categories and limit change; omitted fields stay', async () => {
	const sandbox = await startSandbox();
	const before = (await sandbox.api('GET', `/cards/${CARD}`)).body;
	const named = await sandbox.send('PATCH', `/cards/${CARD}`, { name: 'Paper', colour: 'green' });
	expect(named).toEqual({ status: 200, body: { ...Object(before), name: 'Paper' } });
	const { body } = await sandbox.send('PATCH', `/cards/${CARD}`, {
		categories: ['pet'],
		limit: { amount: '99.90', type: 'lifetime' },
	});
	expect(body).toMatchObject({
		name: 'Paper',
		categories: ['pet'],
		limit: { amount: '99.90', type: 'lifetime' },
	});
	expect((await sandbox.api('GET', `/cards/${CARD}`)).body).toEqual(body);
	expect(await sandbox.send('PATCH', `/cards/${CARD}`, {})).toEqual({ status: 200, body });
});

test('an empty list clears the categories, and null removes limit and balance', async () => {
	const sandbox = await startSandbox();
	const change = { categories: [], limit: null };
	const { body } = await sandbox.send('PATCH', `/cards/${CARD}`, change);
	expect(body).toMatchObject({ categories: [] });
	expect(body).not.toHaveProperty('limit');
	expect(body).not.toHaveProperty('balance');
	expect((await sandbox.api('GET', `/cards/${CARD}`)).body).toEqual(body);
});

test('a new limit includes what was spent before', async () => {
	const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
	const limit = { amount: '100.00', type: 'monthly' };
	// Spent in March: 219.99 + 54.30 + 17.85; the refund of 129.00 is of an earlier purchase.
	expect((await sandbox.send('PATCH', `/cards/${CARD}`, { limit })).body).toMatchObject({
		balance: '-192.14',
	});
});

test("another card's name is refused, the card's own is not", async () => {
	const sandbox = await startSandbox();
	const rename = (name: string) => sandbox.send('PATCH', `/cards/${CARD}`, { name });
	expect(await rename('Team travel')).toEqual(refused());
	expect((await rename('Office supplies')).status).toBe(200);
	expect((await rename('Old phone contract')).status).toBe(200);
	expect((await sandbox.api('GET', `/cards/${CARD}`)).body).toMatchObject({
		name: 'Old phone contract',
	});
});

test('§2: the categories of a card with the deprecated category change in the web UI only', async () => {
	const sandbox = await startSandbox();
	const path = `/cards/${cardId(9)}`;
	expect(await sandbox.send('PATCH', path, { categories: ['pet'], name: 'Pets' })).toEqual(
		refused('must be updated through the web UI'),
	);
	const { status, body } = await sandbox.send('PATCH', path, { name: 'Drawing tools' });
	expect(status).toBe(200);
	expect(body).toMatchObject({ name: 'Drawing tools', category: 'saas_software' });
});
