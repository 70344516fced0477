import { z } from 'zod';

import { runNode } from '../../harness/core/runNode.ts';
import { startChangingProxy } from '../support/changingProxy';
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

/** A declined purchase with one of the active cards. */
async function decline(cardIndex: number) {
	const cards = await sandbox.cards('active');
	const cardId = cards[cardIndex]?.id ?? '';
	const purchase = { cardId, amount: '1.00', merchantName: 'Bakery', ...DECLINE };
	return (await sandbox.client.authorize(purchase)).event;
}

/** Gets events of all cards; the period ends with 2001. */
async function get(parameters: object = {}, filters: object = {}, credential: object = {}) {
	const { items, error } = await runNode({
		parameters: {
			resource: 'cardEvent',
			operation: 'getAll',
			cardScope: 'all',
			returnAll: true,
			simplify: false,
			filters: { createdAfter: '2001-01-01T00:00:00Z', createdBefore: '2002-01-01', ...filters },
			...parameters,
		},
		// One after the other, so that it is certain which card is read first.
		credentials: sandbox.credentials({ readOnly: true, maxConcurrentRequests: 1, ...credential }),
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

test('events of all cards, newest first, as the API returns them', async () => {
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

test('filters apply, and may select cards', async () => {
	const made = await fourDays();
	const cards = await sandbox.cards('active');
	const ofCard = await get({}, { cardIds: z.string().parse(cards[1]?.id) });
	expect(ofCard.events).toEqual([made[2], made[0]]);
	expect((await get({}, { events: ['approved'] })).events).toEqual([]);
});

describe('Event Types: Approved', () => {
	/** A purchase that clears in two parts, a month later. */
	async function purchase() {
		const [card] = await sandbox.cards('active');
		const cardId = z.string().parse(card?.id);
		const made = await sandbox.client.authorize({ cardId, amount: '9.00' });
		await setClock('2001-02-01T12:00:00Z');
		const { id } = made.transaction;
		const first = await sandbox.client.simulateStep('clearing', id, '4.00');
		const second = await sandbox.client.simulateStep('clearing', id);
		return { cardId: { __rl: true, mode: 'id', value: cardId }, events: [second, first, made] };
	}

	test.each(['one', 'all'])('of %s card, each purchase once, or each approval', async (scope) => {
		const { cardId, events } = await purchase();
		const all = events.map(({ event }) => event);
		const parameters = { cardScope: scope, cardId };
		const approved = { events: ['approved'] };
		expect((await get(parameters, approved)).events).toEqual(all.slice(2));
		const options = { everyApproval: true };
		expect((await get({ ...parameters, options }, approved)).events).toEqual(all);
		expect((await get(parameters)).events).toEqual(all);
		const large = { ...approved, minimumAmount: '4.50' };
		expect((await get(parameters, large)).events).toEqual(all.slice(2));
	});
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

describe('"Cards" may come from a model or an expression', () => {
	const cardId = (id: string) => ({ __rl: true, mode: 'id', value: `={{ '${id}' }}` });

	test('"all" needs no card', async () => {
		const made = await fourDays();
		const parameters = { cardScope: "={{ 'all' }}", cardId: cardId('') };
		expect((await get(parameters)).events).toEqual([...made].reverse());
	});

	test('"one" needs no period', async () => {
		const made = await fourDays();
		const cards = await sandbox.cards('active');
		const id = z.string().parse(cards[1]?.id);
		const { events } = await get(
			{ cardScope: "={{ 'one' }}", cardId: cardId(id) },
			{ createdBefore: '2001-02-01' },
		);
		expect(events).toEqual([made[2], made[0]]);
	});

	test('another value is refused, and the message names both', async () => {
		const { error } = await get({ cardScope: "={{ 'every' }}", cardId: cardId('') });
		expect(error?.message).toContain('Cards has an invalid value: "every"');
		expect(error?.description).toContain('one, all');
	});
});

test('new events, cards and transactions during the read do no harm', async () => {
	await sandbox.close();
	sandbox = await startSandbox({ countBudget: 30 });
	await setClock('2001-01-01T12:00:00Z');
	const made: string[] = [];
	for (let number = 0; number < 130; number++) {
		await sandbox.client.advanceClock(60);
		made.push((await decline(number % 2)).id);
	}
	const [card, other] = await sandbox.cards('active');
	const purchase = { amount: '1.00', merchantName: 'Bakery' };
	const createCard = async (number: number) => {
		const { status } = await fetch(`${sandbox.apiUrl}/cards`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${sandbox.apiKey}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ name: `New ${number}`, type: 'recurring' }),
		});
		expect(status).toBe(201);
	};
	let changes = 0;
	const proxy = await startChangingProxy(sandbox.apiUrl, async () => {
		const number = changes++;
		const cardId = z.string().parse((number % 3 === 0 ? card : other)?.id);
		if (number % 3 === 2) await createCard(number);
		else await sandbox.client.authorize({ ...purchase, cardId });
	});
	const { events, error } = await get({}, {}, { baseUrl: proxy.url, maxConcurrentRequests: 5 });
	await proxy.close();
	expect(error).toBeUndefined();
	const ids = events.map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(made.length);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => typeof id === 'string' && made.includes(id))).toEqual(
		[...made].reverse(),
	);
	const times = events.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
});

test('a card that disappears during the read has no events, and is not an error', async () => {
	const made = await fourDays();
	const cards = await sandbox.cards('active');
	const path = `/cards/${cards[1]?.id ?? ''}/financial-events`;
	await sandbox.client.setFaults([{ kind: 'status', status: 404, path }]);
	expect(await get()).toEqual({ events: [made[3], made[1]], error: undefined });
});

test.each([
	[{ createdAfter: '' }, 'Created From is empty'],
	[{ createdBefore: '2000-01-01' }, 'Created Until is not after Created From'],
])('a period is needed: %j', async (filters, message) => {
	expect((await get({}, filters)).error?.message).toContain(message);
});
