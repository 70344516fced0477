import type { INodeParameters } from 'n8n-workflow';

import { expectRefused, send, useFakeClock } from '../support/execute';
import { listOf, refusal, type Respond } from '../support/fakeApi';
import { parametersOf } from '../support/operations';

useFakeClock();

const all = [
	{ id: 'a', amount: '10.00', currency: 'USD', merchantName: 'Grand Hotel' },
	{ id: 'b', amount: '10.000000000000000001', currency: 'USD', merchantName: 'HOTEL Roma' },
	{ id: 'c', amount: '9.99', currency: 'EUR', merchantName: 'Bakery' },
	{ id: 'd', amount: '0.00', currency: 'JPY', merchantName: null },
	{ id: 'e', currency: 'USD' },
];
const getAll = (filters: INodeParameters, more: INodeParameters = { returnAll: true }) =>
	parametersOf('transaction/getAll', { filters, ...more });

test.each<[INodeParameters, string]>([
	[{ minimumAmount: '10' }, 'a b'],
	[{ minimumAmount: '={{ 10 }}' }, 'a b'],
	[{ minimumAmount: ' 10.000000000000000001 ' }, 'b'],
	[{ minimumAmount: '0' }, 'a b c d'],
	[{ maximumAmount: '10' }, 'a c d'],
	[{ minimumAmount: '1', maximumAmount: '9.99' }, 'c'],
	[{ merchantName: 'hotel' }, 'a b'],
	[{ currencies: 'eur, JPY' }, 'c d'],
	[{ currencies: 'usd', minimumAmount: '10.000000000000000001', merchantName: 'hotel' }, 'b'],
])('by %j', async (filters, ids) => {
	const { json, sent } = await send(getAll(filters), listOf(all));
	expect(json.map(({ id }) => id)).toEqual(ids.split(' '));
	expect(sent).toEqual([{ method: 'GET', path: '/transactions', query: {} }]);
});

test('several statuses: the node alone filters, as the API documents no way to ask for them', async () => {
	const rows = ['pending', 'settled', 'declined', null].map((status) => ({
		id: String(status),
		status,
	}));
	for (const [status, asked, found] of [
		[['pending', 'settled'], undefined, ['pending', 'settled']],
		['={{ "pending,settled" }}', undefined, ['pending', 'settled']],
		[['settled'], 'settled', ['settled']],
		['settled', 'settled', ['settled']],
	] as const) {
		const { json, sent, error } = await send(getAll({ status } as INodeParameters), listOf(rows));
		expect(error).toBeUndefined();
		expect([sent[0]?.query.status, json.map(({ id }) => id)]).toEqual([asked, found]);
	}
});

test.each<[INodeParameters, string]>([
	[{ status: [] }, 'Status is empty'],
	[{ status: ['settled', 'frozen'] }, 'Status has an invalid value: "frozen"'],
	[{ minimumAmount: '-1' }, 'Minimum Amount is not a valid amount: "-1"'],
	[{ minimumAmount: '5,00' }, 'Minimum Amount is not a valid amount: "5,00"'],
	[{ minimumAmount: '={{ [5] }}' }, 'Minimum Amount is not a valid amount: [5]'],
	[{ currencies: 'dollars' }, 'Currencies: "dollars" is not a valid currency code'],
])('%j is refused', async (filters, message) => {
	await expectRefused(getAll(filters), message);
});

test('Include Card adds the name of the card, and overwrites no field', async () => {
	const rows = [{ id: 'a', cardId: 'x', cardName: 'own' }, { id: 'b', cardId: 'x' }, { id: 'c' }];
	const cards = [{ id: 'x', name: 'Travel', lastFour: '1' }];
	const respond: Respond = (request) => listOf(request.path === '/cards' ? cards : rows)(request);
	const { json } = await send(getAll({}, { options: { includeCard: true } }), respond);
	expect(json).toEqual([
		{ ...rows[0], cardLastFour: '1' },
		{ ...rows[1], cardName: 'Travel', cardLastFour: '1' },
		{ id: 'c', cardName: null, cardLastFour: null },
	]);
});

const withColumns = getAll({}, { returnAll: true, spreadsheetColumns: true });

test.each([
	['Grand Hotel', 'Grand Hotel'],
	['=1+1', "'=1+1"],
	['\n=1+1', "'=1+1"],
	['+1', "'+1"],
	['-1', "'-1"],
	['@SUM(A1)', "'@SUM(A1)"],
	['A=1', 'A=1'],
	['', ''],
	[null, null],
	[undefined, null],
])('a spreadsheet runs no part of the name %j: %j', async (name, text) => {
	const [card, row] = [
		{ id: 'a', name },
		{ id: 't', cardId: 'a', merchantName: name },
	];
	const respond: Respond = (request) => listOf([request.path === '/cards' ? card : row])(request);
	const { json } = await send(withColumns, respond);
	expect(json).toEqual([expect.objectContaining({ cardName: text, merchant: text })]);
});

test('columns for spreadsheets', async () => {
	const spent = { cardId: 'a', amount: '12.50', amountDirection: 'debit', status: 'settled' };
	const rows: [object, unknown[]][] = [
		[{ ...spent, createdAt: '2026-01-31T23:30:00Z' }, [12.5, 'Travel', '1111', '2026-02-01']],
		[{ ...spent, status: 'pending', amount: '0.10' }, [0.1, 'Travel', '1111', null]],
		[{ ...spent, amountDirection: 'credit' }, [-12.5, 'Travel', '1111', null]],
		[{ ...spent, amount: '-12.50' }, [12.5, 'Travel', '1111', null]],
		[{ ...spent, amount: '-12.50', amountDirection: 'credit' }, [-12.5, 'Travel', '1111', null]],
		[{ ...spent, status: 'declined' }, [0, 'Travel', '1111', null]],
		[{ ...spent, status: 'DECLINED' }, [0, 'Travel', '1111', null]],
		[{ ...spent, status: 'released', amount: '0.00' }, [0, 'Travel', '1111', null]],
		[{ ...spent, amountDirection: 'credit', amount: '0.00' }, [0, 'Travel', '1111', null]],
		[{ ...spent, amount: 'much', cardId: 'gone' }, [null, null, null, null]],
		[{ ...spent, amountDirection: 'other', cardId: undefined }, [null, null, null, null]],
		[{ ...spent, amount: '12345678901234567.89' }, [null, 'Travel', '1111', null]],
		[{ ...spent, amount: '9'.repeat(400) }, [null, 'Travel', '1111', null]],
	];
	const body = rows.map(([row], id) => ({ id: String(id), ...row }));
	const cards = [{ id: 'a', name: 'Travel', lastFour: '1111' }];
	const respond: Respond = (request) => listOf(request.path === '/cards' ? cards : body)(request);

	const { json, sent, hints } = await send(withColumns, respond);
	const message = expect.stringMatching(/^Transactions without amountNumber, .*: 4\. /);
	expect(hints).toMatchObject([{ message, type: 'warning' }]);
	expect(
		json.map((row) => [row.amountNumber, row.cardName, row.cardLastFour, row.localDate]),
	).toEqual(rows.map(([, expected]) => expected));
	expect(Object.keys(json[0] ?? {}).join(' ')).toBe(
		'localDate merchant amountNumber currency status cardName cardLastFour cardId id',
	);
	expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['/transactions', '/cards']));

	expect((await send(withColumns, body.slice(0, 9))).hints).toEqual([]);

	// Cards are read only for transactions, once for all items, and rows are there only if chosen.
	const none = await send(withColumns, []);
	expect([none.json, none.hints]).toEqual([[], []]);
	expect(none.sent.map(({ path }) => path)).not.toContain('/cards');
	const { sent: ofTwo } = await send(withColumns, respond, { items: [{}, {}] });
	expect(ofTwo.filter(({ path }) => path === '/cards')).toHaveLength(1);
	const { json: all } = await send(getAll({}), respond);
	expect(all[0]).toEqual(body[0]);
	// A workflow may have it where it was before.
	const before = await send(getAll({}, { options: { spreadsheetColumns: true } }), respond);
	expect(before.json[0]).toHaveProperty('localDate');

	// A file without names would look complete.
	const forbidden: Respond = (request, count) =>
		request.path === '/cards' ? refusal(403) : respond(request, count);
	expect((await send(withColumns, forbidden)).error?.message).toContain('(403 some-code)');
});

test('first when, who, how much and status; IDs last', async () => {
	const row = {
		id: 'a',
		cardId: 'x',
		statementId: 's',
		more: 1,
		status: 'settled',
		amount: '1.00',
	};
	const known = { ...row, merchantName: 'Bakery', createdAt: '2026-01-31T23:30:00Z' };
	const order = 'createdAt merchantName amount status more cardId statementId id';
	for (const name of ['transaction/get', 'transaction/getAll', 'settlement/getAll']) {
		const { json } = await send(parametersOf(name), name.endsWith('get') ? known : [known]);
		expect(Object.keys(json[0] ?? {}).join(' ')).toBe(order);
	}
	// A table of n8n's usual width still shows how much.
	const named = await send(getAll({}, { options: { includeCard: true } }), [known]);
	expect(Object.keys(named.json[0] ?? {}).join(' ')).toBe(
		order.replace('more', 'cardName cardLastFour more'),
	);
	const card = { id: 'c', createdAt: '2026-01-31T23:30:00Z', type: 'recurring', status: 'active' };
	const cards = await send(parametersOf('card/getAll'), [{ ...card, lastFour: '1', name: 'A' }]);
	expect(Object.keys(cards.json[0] ?? {}).join(' ')).toBe('name lastFour status type createdAt id');
	const bill = {
		id: 'p',
		status: 'open',
		amount: '1.00',
		descriptor: 'Bill',
		dueDate: '2026-01-15',
	};
	const { json } = await send(parametersOf('payment/getAll'), { data: [{ ...bill, more: 1 }] });
	expect(Object.keys(json[0] ?? {}).join(' ')).toBe('dueDate descriptor amount status more id');
});
