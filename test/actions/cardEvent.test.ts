import type { INodeParameters } from 'n8n-workflow';

import { expectRefused, send, useFakeClock } from '../support/execute';
import { listOf, refusal, type Reply, type Respond } from '../support/fakeApi';
import { CARD, parametersOf } from '../support/operations';

useFakeClock();

const event = {
	id: 'e1',
	transactionId: 't1',
	cardId: CARD,
	amount: '12.00',
	amountDirection: 'debit',
	currency: 'USD',
	isSuccess: true,
	isReversal: false,
	createdAt: '2026-11-21T10:00:00Z',
	merchantName: 'Bakery',
};
const events = [
	event,
	{ ...event, id: 'e2', isSuccess: false, amount: '30.00' },
	{ ...event, id: 'e3', isSuccess: false, amount: '7.00', more: 'x' },
];
const getAll = (more: INodeParameters) => parametersOf('cardEvent/getAll', more);

test.each<[string, INodeParameters, string[]]>([
	['a limit', { limit: 2 }, ['e1', 'e2']],
	['all', { returnAll: true, limit: 1 }, ['e1', 'e2', 'e3']],
	['a type and a limit', { filters: { events: ['declined'] }, limit: 1 }, ['e2']],
	['a type and an amount', { filters: { events: ['declined'], minimumAmount: '10' } }, ['e2']],
])('by %s', async (_name, more, ids) => {
	const { json, sent } = await send(getAll(more), events);
	expect(json.map(({ id }) => id)).toEqual(ids);
	expect(sent).toMatchObject([{ query: {} }]);
});

test('by period', async () => {
	const ids = [
		'2026-11-21T23:00:00Z',
		'2026-11-21T22:59:59Z',
		'2026-11-20T23:00:00Z',
		'2026-11-20T22:59:59Z',
	];
	const body = ids.map((createdAt) => ({ ...event, id: createdAt, createdAt }));
	const of = async (filters: INodeParameters) =>
		(await send(getAll({ filters }), body)).json.map(({ id }) => id);
	expect(await of({ period: 'today' })).toEqual(ids.slice(1, 3));
	expect(await of({ createdAfter: '2026-11-21' })).toEqual(ids.slice(0, 3));
	expect(await of({ createdBefore: '2026-11-21' })).toEqual(ids.slice(1));
});

test('Simplify leaves the main fields, as filters/readable.test.ts has them', async () => {
	const keysOf = async (simplify: boolean | string) =>
		Object.keys((await send(getAll({ simplify }), events)).json.at(2) ?? {}).join(' ');
	for (const simplify of [true, '={{ "true" }}'])
		expect(await keysOf(simplify)).toBe(
			'eventType summary createdAt amount currency merchantName declineReason cardId transactionId',
		);
	expect(await keysOf('={{ "false" }}')).toContain('more');
});

test('Include Card is on by default if Cards is All', async () => {
	const transactions = [{ id: 't1', cardId: CARD, createdAt: event.createdAt }];
	const bodies: Record<string, object[]> = {
		'/transactions': transactions,
		'/cards': [{ id: CARD, name: 'Travel', lastFour: '0042' }],
	};
	// No ID at all, and no string either.
	const odd = { ...event, id: 'e4', cardId: { toString: null } };
	const respond: Respond = ({ path, query: { page = '1' } }) => ({
		body: page === '1' ? (bodies[path] ?? [...events, odd]) : [],
	});
	const ofAll = (options: INodeParameters) => getAll({ cardScope: 'all', options });
	const { json } = await send(ofAll({}), respond);
	expect(json[0]).toMatchObject({ cardName: 'Travel', cardLastFour: '0042' });
	expect(json[3]).toMatchObject({ cardName: null, cardId: odd.cardId });
	const { sent } = await send(ofAll({ includeCard: false }), respond);
	expect(sent.map(({ path }) => path)).not.toContain('/cards');
});

test('Include Card names the card after one list of cards, or says why it is not named', async () => {
	const included = getAll({ options: { includeCard: true } });
	const card = { id: CARD, name: 'Travel', lastFour: '0042' };
	const respond =
		(cards: Reply): Respond =>
		({ path }) =>
			path === '/cards' ? cards : { body: events };
	const { json, sent } = await send(included, respond(listOf([card])({ query: {} })));
	expect(json).toHaveLength(3);
	expect(json[0]).toMatchObject({ cardName: 'Travel', cardLastFour: '0042', id: 'e1' });
	expect(sent.filter(({ path }) => path === '/cards')).toHaveLength(1);
	const none = await send(included, () => ({ body: [] }));
	expect(none.sent.map(({ path }) => path)).toEqual([`/cards/${CARD}/financial-events`]);
	for (const [status, why] of [
		[403, 'They need card management.'],
		[404, 'No. (404 some-code)'],
	]) {
		const body = { code: 'some-code', message: 'No.' };
		const without = await send(included, respond({ status: Number(status), body }));
		expect(without.json[0]).not.toHaveProperty('cardName');
		expect(without.error).toBeUndefined();
		const message = `Include Card: the names of the cards are left out. ${why}`;
		expect(without.hints).toMatchObject([{ message }]);
	}
});

describe('Count', () => {
	const count = async (rows: object[], filters: INodeParameters = {}) => {
		const { json, hints } = await send(parametersOf('cardEvent/count', { filters }), rows);
		return [...json, ...hints.map(({ message }) => message)];
	};
	const of = (amount: unknown, currency: unknown = 'USD') => ({ ...event, amount, currency });

	test('counts what passes, and adds up exactly by currency', async () => {
		expect(await count(events, { events: ['declined'] })).toEqual([
			{ count: 2, sums: { USD: '37.00' } },
		]);
		expect(await count([])).toEqual([{ count: 0, sums: {} }]);
		const rows = [
			of('0.1'),
			of('0.2'),
			of('9007199254740993.005'),
			of('7', 'eur'),
			of('-3.5', 'GBP'),
			of('0.05', 'CHF'),
			of('x'),
			of('1', null),
		];
		expect(await count(rows)).toEqual([
			{
				count: 8,
				sums: { USD: '9007199254740993.305', EUR: '7.00', GBP: '-3.50', CHF: '0.05' },
			},
			'The sums leave out events without a clear amount and currency: 2.',
		]);
	});
});

test.each<[INodeParameters, string]>([
	[{ filters: { currencies: 'dollars' } }, 'Currencies'],
	[{ filters: { events: ['all', 'declined'] } }, 'Event Types has "All Events" and other choices'],
	[{ filters: { events: ['frozen'] } }, 'Event Types has an invalid value: "frozen"'],
	[
		{ cardScope: 'all', filters: { createdBefore: '2026-01-01' } },
		'Cards: All needs a Period or "Created From"',
	],
	[{ cardScope: 'all', period: 'custom' }, 'Cards: All needs a Period or "Created From"'],
	[{ cardScope: 'all', period: 'x' }, 'Period has an invalid value: "x"'],
	[
		{ filters: { minimumAmount: '10.01', maximumAmount: '10' } },
		'Minimum Amount is above Maximum Amount',
	],
])('%j is refused', async (more, message) => {
	await expectRefused(getAll(more), message);
});

describe('of all cards', () => {
	const ofAll = (filters: INodeParameters, more: INodeParameters = {}) =>
		getAll({ cardScope: 'all', filters, ...more });
	const listing =
		(rows: object[]): Respond =>
		({ path, query: { page = '1' } }) => ({
			body: path === '/transactions' && page === '1' ? rows : [],
		});

	test.each([
		[{}, {}, '2026-11-14T22:59:59.000Z'],
		[{ period: 'today' }, {}, '2026-11-20T22:59:59.000Z'],
		[{ period: 'today' }, { period: 'last30Days' }, '2026-10-22T21:59:59.000Z'],
		[{ period: 'today' }, { createdAfter: '2026-11-01Z' }, '2026-10-31T23:59:59.000Z'],
		[{ period: 'custom' }, { createdAfter: '2026-11-01Z' }, '2026-10-31T23:59:59.000Z'],
	])('the period %j, and the filter %j in its place', async (more, filters, createdAfter) => {
		const { sent } = await send(ofAll(filters, more), []);
		expect(sent[0]?.query).toMatchObject({ createdAfter });
	});

	test('custom query parameters go with each request for events', async () => {
		const rows = [{ id: 'a', cardId: 'b', createdAt: '2026-01-02T12:00:00Z' }];
		const customQuery = { pairs: [{ name: 'version', value: '2' }] };
		const parameters = ofAll({ createdAfter: '2026-01-02' }, { options: { customQuery } });
		const { sent } = await send(parameters, listing(rows));
		expect(sent.at(-1)?.query).toEqual({ version: '2' });
	});

	test('a hint names a card that a transaction names, and that the API does not have', async () => {
		const listed = (cardId: string) => ({ id: cardId, cardId, createdAt: '2026-01-02T12:00:00Z' });
		const respond: Respond = ({ path, ...more }) =>
			path.startsWith('/cards/gone')
				? refusal(404)
				: listing([listed('here'), listed('gone')])({ path, ...more }, 1);
		const ofDay = { cardScope: 'all', filters: { createdAfter: '2026-01-02' } };
		for (const operation of ['getAll', 'count'] as const) {
			const { error, hints } = await send(parametersOf(`cardEvent/${operation}`, ofDay), respond);
			expect(error).toBeUndefined();
			const message = expect.stringMatching(/^Events are missing: .*: gone\.$/);
			expect(hints.filter(({ type }) => type === 'warning')).toMatchObject([{ message }]);
		}
	});
});
