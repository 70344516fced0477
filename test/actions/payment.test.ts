import type { INodeParameters } from 'n8n-workflow';

import { expectRefused, send, useFakeClock } from '../support/execute';
import type { Respond } from '../support/fakeApi';
import { parametersOf } from '../support/operations';

useFakeClock();

/** What the API is asked for: a day more at each end. */
const days = { from: '2026-01-01', to: '2026-12-31' };
const payments = (more: INodeParameters = {}) =>
	parametersOf('payment/getAll', {
		period: 'custom',
		from: '2026-01-02T00:00:00',
		to: '2026-12-30T00:00:00',
		returnAll: true,
		...more,
	});
const queries = async (more: INodeParameters, credential = {}) => {
	const { sent, error } = await send(payments(more), [], { credential });
	expect(error).toBeUndefined();
	expect(sent.every(({ method, path }) => method === 'GET' && path === '/payments')).toBe(true);
	return sent.map(({ query }) => query);
};

test.each<[string, INodeParameters, object, object]>([
	['of the credential', {}, {}, { accountId: '1001' }],
	['of the credential, a number', {}, { accountId: 1001 }, { accountId: '1001' }],
	['of the node', { options: { accountId: '1002' } }, {}, { accountId: '1002' }],
	[
		'of the node, under an account-scoped key',
		{ options: { accountId: '1002' } },
		{ keyScope: 'account' },
		{ accountId: '1002' },
	],
	['none under an account-scoped key', {}, { keyScope: 'account', accountId: '' }, {}],
])('the account: %s', async (_name, more, credential, account) => {
	expect(await queries(more, credential)).toEqual([{ ...days, ...account }]);
});

test('the account has its name set in the credential; custom parameters win', async () => {
	const customQuery = { pairs: [{ name: 'to', value: 'x' }] };
	const named = { parameterNames: '{"accountId":"account"}' };
	expect(await queries({ options: { customQuery } }, named)).toEqual([
		{ account: '1001', from: '2026-01-01', to: 'x' },
	]);
});

// It is 21 November, 12:00 UTC; the workflow is in Berlin.
test.each<[INodeParameters, object]>([
	[{ from: '2026-01-01T23:30:00Z' }, { from: '2026-01-01' }],
	[
		{ from: '={{ $now }}', to: '={{ $today.plus({ days: 1 }).toJSDate() }}' },
		{ from: '2026-11-20', to: '2026-11-23' },
	],
	[
		{ from: '={{ DateTime.fromISO("2026-11-20T20:00:00Z").setZone("Asia/Tokyo") }}' },
		{ from: '2026-11-19' },
	],
	[
		{ from: ' 2026-01-01 ', to: '2026-01-01' },
		{ from: '2025-12-31', to: '2026-01-02' },
	],
	[{ period: 'thisMonth' }, { from: '2026-10-31', to: '2026-12-01' }],
	[{ period: 'last7Days' }, { from: '2026-11-14', to: '2026-11-22' }],
	[{ period: 'next7Days' }, { from: '2026-11-20', to: '2026-11-28' }],
	[{ period: 'nextMonth' }, { from: '2026-11-30', to: '2027-01-01' }],
	[{ period: 'custom' }, days],
])('the days of %j', async (more, range) => {
	expect(await queries(more)).toMatchObject([range]);
});

test('two payments with one ID, of one list, are both output', async () => {
	const bill = (dueDate: string) => ({ id: 'a', amount: '10.00', dueDate });
	const data = [bill('2026-02-01'), bill('2026-03-01')];
	const { json } = await send(payments(), () => ({ body: { data } }));
	expect(json.map(({ dueDate }) => dueDate)).toEqual(['2026-02-01', '2026-03-01']);
});

test('a range longer than a year is asked year by year; what comes twice is output once', async () => {
	const respond: Respond = ({ query: { from = '' } }) => ({
		body: [
			{ id: 'a', dueDate: '2024-05-30' },
			{ id: 'b', dueDate: `${from.slice(0, 4)}-06-15` },
		],
	});
	const { json, sent } = await send(payments({ from: '2023-06-01', to: '2025-07-01' }), respond);
	expect(sent.map(({ query }) => query)).toMatchObject([
		{ from: '2023-05-31', to: '2024-05-30' },
		{ from: '2024-05-30', to: '2025-05-29' },
		{ from: '2025-05-29', to: '2025-07-02' },
	]);
	// A payment whose due date changes between two requests is still one payment.
	expect(json.map(({ id }) => id)).toEqual(['a', 'b']);
});

test.each([
	[2, 1],
	[3, 1],
	[4, 2],
])('a limit of %d stops at it, after %d request(s)', async (limit, requests) => {
	const respond: Respond = ({ query }) => ({
		body: ['a', 'b', 'c'].map((id) => ({ id: `${query.from}${id}` })),
	});
	const limited = payments({ from: '2020-01-01', returnAll: false, limit });
	const { json, sent } = await send(limited, respond);
	expect(json).toHaveLength(limit);
	expect(sent).toHaveLength(requests);
});

test.each<[INodeParameters, string, { accountId?: string }?]>([
	[{}, 'Choose the account whose payments to list', { accountId: '' }],
	[{}, 'Default Account ID is not a whole number: "Marketing"', { accountId: 'Marketing' }],
	[{ options: { accountId: 'x' } }, 'Account ID is not a whole number: "x"'],
	[{ from: '2027-01-01' }, 'Due From (2027-01-01) is later than Due Until (2026-12-30)'],
	[{ to: '2200-01-02' }, 'Due Until is out of range'],
	[{ from: '1969-12-31' }, 'Due From is out of range'],
	[{ from: '={{ DateTime.invalid("x") }}' }, 'Due From is not a valid date'],
	[{ to: '={{ $now.diff($today) }}' }, 'Due Until is not a valid date'],
	[{ to: '2026-02-30' }, 'Due Until is not a valid date'],
])('%j: %s', async (more, message, credential = {}) => {
	await expectRefused(payments(more), message, { credential });
});
