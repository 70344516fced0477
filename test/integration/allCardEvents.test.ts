import { z } from 'zod';

import { runNode } from '../../harness/core/runNode.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const DECLINE = { decline: { reason: 'suspected_fraud' } };

let sandbox: TestSandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
	// Before anything that the sandbox starts with.
	await setClock('2001-01-01T12:00:00Z');
});
afterEach(async () => {
	await sandbox.close();
});

const setClock = async (now: string) => await sandbox.client.setClock(new Date(now));

/** A declined purchase, with a place among the active cards. */
async function decline(place: number) {
	const cards = await sandbox.cards('active');
	const cardId = cards[place]?.id ?? '';
	const purchase = { cardId, amount: '1.00', merchantName: 'Bakery', ...DECLINE };
	return (await sandbox.client.authorize(purchase)).event;
}

/** Gets events of all cards; the period ends with 2001. */
async function get(parameters: object = {}, filters: object = {}) {
	const { items, error } = await runNode({
		parameters: {
			resource: 'cardEvent',
			operation: 'getAll',
			cardScope: 'all',
			returnAll: true,
			filters: { createdAfter: '2001-01-01T00:00:00Z', createdBefore: '2002-01-01', ...filters },
			...parameters,
		},
		// One after the other, so that it is certain which card is read first.
		credentials: sandbox.credentials({ readOnly: true, maxConcurrentRequests: 1 }),
	});
	return { events: items.map(({ json }) => json), error };
}

/** An event each on four days, of two cards in turn; the oldest first. */
async function fourDays() {
	const made = [];
	for (let day = 1; day <= 4; day++) {
		await setClock(`2001-01-0${day}T12:00:00Z`);
		made.push(await decline(day % 2));
	}
	return made;
}

test('events of all cards, newest first, as the API gives them', async () => {
	const made = await fourDays();
	expect((await get()).events).toEqual([...made].reverse());
});

test('the start of the period is included, its end is not', async () => {
	const made = await fourDays();
	const { events } = await get(
		{},
		{ createdAfter: '2001-01-02T12:00:00Z', createdBefore: '2001-01-04T12:00:00Z' },
	);
	expect(events).toEqual([made[2], made[1]]);
});

test('with a limit only the cards that are needed are read', async () => {
	const made = await fourDays();
	const cards = await sandbox.cards('active');
	// A request for the card with the older events would fail.
	const path = `/cards/${cards[1]?.id ?? ''}`;
	await sandbox.client.setFaults([{ kind: 'status', status: 401, path }]);
	const parameters = { returnAll: false, limit: 1 };
	expect(await get(parameters)).toEqual({ events: [made[3]], error: undefined });
});

test('the filters hold, and choose cards', async () => {
	const made = await fourDays();
	const cards = await sandbox.cards('active');
	const ofCard = await get({}, { cardIds: z.string().parse(cards[1]?.id) });
	expect(ofCard.events).toEqual([made[2], made[0]]);
	expect((await get({}, { events: ['approved'] })).events).toEqual([]);
});

test('more transactions than the API counts', async () => {
	await sandbox.close();
	sandbox = await startSandbox({ countBudget: 2 });
	await setClock('2001-01-01T12:00:00Z');
	const made = await fourDays();
	expect((await get()).events).toEqual([...made].reverse());
});

test('of one card in a period', async () => {
	const made = await fourDays();
	const cards = await sandbox.cards('active');
	const cardId = { __rl: true, mode: 'id', value: z.string().parse(cards[1]?.id) };
	const { events } = await get(
		{ cardScope: 'one', cardId },
		{ createdAfter: '2001-01-02T00:00:00Z' },
	);
	expect(events).toEqual([made[2]]);
});

test.each([
	[{ createdAfter: '' }, 'Created After is empty'],
	[{ createdBefore: '2000-01-01' }, 'Created Before is not after Created After'],
])('a period is needed: %j', async (filters, message) => {
	expect((await get({}, filters)).error?.message).toContain(message);
});
