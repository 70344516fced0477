import { z } from 'zod/v4';

import { cardId, refused, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const CARD = { name: 'Travel Berlin', type: 'recurring' };

const idIn = (body: unknown) => z.object({ id: z.string() }).parse(body).id;

test('a new card is active, and the 201 has the same body as GET', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	const created = await sandbox.send('POST', '/cards', {
		...CARD,
		type: 'single-use',
		categories: ['airlines', 'lodging'],
		limit: { amount: '1200', type: 'lifetime' },
		colour: 'green',
	});
	expect(created).toEqual({
		status: 201,
		body: {
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			createdAt: NOW.toISOString(),
			lastFour: expect.stringMatching(/^\d{4}$/),
			name: 'Travel Berlin',
			status: 'active',
			type: 'single-use',
			categories: ['airlines', 'lodging'],
			limit: { amount: '1200.00', type: 'lifetime' },
			balance: '1200.00',
		},
	});
	expect((await sandbox.api('GET', `/cards/${idIn(created.body)}`)).body).toEqual(created.body);
});

test('a name is unique, but that of an archived card may be reused', async () => {
	const sandbox = await startSandbox();
	const name = 'Team travel';
	expect(await sandbox.send('POST', '/cards', { ...CARD, name })).toEqual(refused('name'));
	await sandbox.api('POST', `/cards/${cardId(3)}/archive`);
	expect((await sandbox.send('POST', '/cards', { ...CARD, name })).status).toBe(201);
	expect(await sandbox.send('POST', '/cards', { ...CARD, name })).toEqual(refused());
});

test("a new card belongs to the key's account, or to the one that a customer-scoped request names", async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	const create = (name: string, accountId?: number) =>
		sandbox.send('POST', '/cards', { ...CARD, name, accountId });
	await create('first by default');
	await create('named', 1002);
	expect(await create('unknown', 7)).toEqual(refused());
	await sandbox.makeKey(1002);
	await create('own');
	expect(await create('foreign', 1001)).toEqual(refused());
	const listedFor = async (accountId: number) => {
		await sandbox.makeKey(accountId);
		return (await sandbox.api('GET', '/cards')).body;
	};
	expect(await listedFor(1001)).toMatchObject({ data: [{ name: 'first by default' }] });
	// The other two.
	expect(await listedFor(1002)).toMatchObject({ totalItemCount: 2 });
});
