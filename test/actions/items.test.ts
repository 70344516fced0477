import type { INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { execute, expectRefused, send, useFakeClock } from '../support/execute';
import {
	type ApiRequest,
	fakeApi,
	networkError,
	type Reply,
	type Respond,
} from '../support/fakeApi';
import { byId, OPERATIONS, parametersOf, succeed } from '../support/operations';

useFakeClock();

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Knows every card but the third. */
function respond({ method, path }: ApiRequest): Reply {
	if (path.includes(idOf(3))) return { status: 404, body: { code: 'not-found', message: 'None' } };
	return method === 'GET' ? { body: { id: path.split('/').at(-1) } } : { status: 204 };
}

const cardId = byId('={{ $json.cardId }}');
const parameters = parametersOf('card/get', { cardId });

const cards = (ids: number[]) => ids.map((index) => ({ cardId: idOf(index) }));

const goOn = { onError: 'continueRegularOutput' } as const;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 10);

test('output in the order of the input, each paired, whichever response comes first', async () => {
	const ids = numbers(50);
	const api = fakeApi(async (request, count) => {
		await new Promise((resolve) => setTimeout(resolve, 1_000 - count));
		return respond(request);
	});
	const { items, error } = await execute(api, parameters, { items: cards(ids) });
	expect(error).toBeUndefined();
	expect(items).toEqual(
		ids.map((index, item) => ({ json: { id: idOf(index) }, pairedItem: { item } })),
	);
});

test.each<[string, INodeParameters]>([
	['resource', { resource: '={{ $json.resource }}' }],
	['operation', { resource: 'card', operation: '={{ $json.operation }}' }],
	['operation, as n8n stores it', { resource: 'card', operation: '{{ $json.operation }}' }],
])('an expression for the %s is an error: n8n would drop filters', async (_name, chosen) => {
	const api = fakeApi(respond);
	const filters = { name: 'Anna', status: 'active' };
	const { json } = await execute(
		api,
		{ ...chosen, returnAll: true, filters },
		{ items: [{ resource: 'card', operation: 'getAll' }, {}], node: goOn },
	);
	expect(json).toMatchObject(
		[1, 2].map(() => ({
			error: 'Resource or Operation is set by an expression, so nothing was sent',
		})),
	);
	expect(api.requests).toEqual([]);
});

test.each([
	[{ resource: 'card', operation: 'getNothing' }, 'There is no operation "getNothing"'],
	...[...RESOURCES.filter(({ initial }) => !initial), { value: 'bank' }].map(
		({ value }): [INodeParameters, string] => [
			{ resource: value },
			`No operation is selected for the resource "${value}"`,
		],
	),
])('%j is refused', async (chosen, message) => {
	await expectRefused(chosen, message);
});

test.each([
	['card/get', 4],
	['card/freeze', 4],
	['card/archive', 4],
	['card/create', 1],
	['card/update', 1],
	['account/rename', 1],
	['account/transfer', 1],
])('%s: %d items together', async (name, together) => {
	const api = fakeApi(succeed, { latency: 100 });
	const parameters = parametersOf(name, { idempotencyKey: '={{ $json.cardId }}' });
	const { items } = await execute(api, parameters, { items: cards([10, 11, 12, 13]) });
	expect(items).toHaveLength(4);
	expect(api.mostInFlight()).toBe(together);
});

test('Continue On Fail: an item that fails becomes an error item, and the others succeed', async () => {
	const items = [...cards([10, 3, 11]), { cardId: 'x' }];
	const { items: output, error } = await execute(fakeApi(respond), parameters, {
		items,
		node: goOn,
	});
	expect(error).toBeUndefined();
	const hint = expect.stringContaining('No card with this ID');
	const json = [
		{ id: idOf(10) },
		{ error: 'None (404 not-found)', message: { httpCode: '404', hint } },
		{ id: idOf(11) },
		// Without a status, and without a transfer, it has neither.
		{ error: 'Card is not a valid ID: "x"', message: { hint: expect.any(String) } },
	];
	expect(output).toEqual(json.map((each, item) => ({ json: each, pairedItem: { item } })));
	expect(output[3]?.json).not.toHaveProperty('message.idempotencyKey', expect.anything());
});

test.each([
	[[10, 3, 11, 3], ['2 of 4 items failed. The first is item 1.']],
	[[10, 11], []],
	// The item says it.
	[[3], []],
])('Continue On Fail: a hint says how many of the items %j failed', async (ids, messages) => {
	const { hints } = await send(parameters, respond, { items: cards(ids), node: goOn });
	const expected = messages.map((message) => ({
		message,
		type: 'warning',
		location: 'outputPane',
	}));
	expect(hints).toEqual(expected);
});

test('Continue On Fail: the first item that failed is named, whichever response comes first', async () => {
	const slowly: Respond = async (request) => {
		const isFirst = request.path.endsWith(idOf(103));
		await new Promise((resolve) => setTimeout(resolve, isFirst ? 1_000 : 1));
		return isFirst || request.path.endsWith(idOf(111)) ? { status: 404 } : respond(request);
	};
	const items = cards(Array.from({ length: 12 }, (_, index) => index + 100));
	const { hints } = await send(parameters, slowly, { items, node: goOn });
	expect(hints).toMatchObject([{ message: '2 of 12 items failed. The first is item 3.' }]);
});

test('Continue On Fail: a credential that does not work fails each item by itself', async () => {
	const { items } = await execute(fakeApi(respond), parameters, {
		items: cards([10, 11]),
		credential: { baseUrl: '' },
		node: goOn,
	});
	const json = { error: 'The credential has no Base URL' };
	expect(items).toMatchObject([0, 1].map((item) => ({ json, pairedItem: { item } })));
});

test('an expression that fails: its error, with the item', async () => {
	const broken = { ...parameters, cardId: '={{ $json.cardId.nothing() }}' };
	const { error } = await execute(fakeApi(respond), broken, { items: cards([10]) });
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(error?.message).not.toBe('');
});

test('no items: no requests, no output', async () => {
	const api = fakeApi(respond);
	const { items, error } = await execute(api, parameters, { items: [] });
	expect([items, error]).toEqual([[], undefined]);
	expect(api.requests).toEqual([]);
});

test('a failure keeps further items from being sent, and names its item', async () => {
	const api = fakeApi(respond, { latency: 100 });
	const { error } = await execute(api, parameters, { items: cards([3, ...numbers(50)]) });
	expect(error).toMatchObject({ context: { itemIndex: 0 } });
	expect(api.requests).toHaveLength(4);
});

test('of several failures the first item is named, whichever fails first', async () => {
	const api = fakeApi(async (_request, count) => {
		await new Promise((resolve) => setTimeout(resolve, 1_000 - count));
		return { status: 404, body: { code: 'x', message: `Request ${count}` } };
	});
	const { error } = await execute(api, parameters, { items: cards([10, 11, 12]) });
	expect(error).toMatchObject({ message: 'Request 1 (404 x)', context: { itemIndex: 0 } });
});

test('a failure is reported once the requests in flight have ended', async () => {
	let ended = 0;
	const api = fakeApi(async (_request, count) => {
		if (count === 1) throw networkError('ERR_INVALID_URL');
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		ended++;
		return { status: 204 };
	});
	const freeze = { ...parameters, operation: 'freeze', includeDetails: false };
	const { error } = await execute(api, freeze, { items: cards([10, 11, 12]) });
	expect(error).toMatchObject({ context: { itemIndex: 0 } });
	expect(ended).toBe(2);
});

test.each([
	['see <i>', 'see ‹i>'],
	[7, undefined],
])('an error of n8n with the description %j', async (description, shown) => {
	const getNodeParameter = () => {
		throw Object.assign(new Error('a <b>'), { description });
	};
	const { error } = await execute(fakeApi(succeed), parameters, { context: { getNodeParameter } });
	expect(error?.message).toBe('a ‹b>');
	expect(error?.description ?? undefined).toBe(shown);
});

test('a response whose object cannot be an item becomes an empty item', async () => {
	const api = fakeApi(() => ({ body: [['x']] }));
	const { json } = await execute(api, { resource: 'settlement', operation: 'getAll' });
	expect(json).toEqual([]);
});

// Lint forbids what could: keys of objects that are not constants.
test('what a response names and says changes no other object', async () => {
	const names = ['status', 'type', 'currency', 'category', 'name', 'cardId', 'transactionId'];
	const said = names.map((name) => `"${name}":"__proto__"`).join();
	const record = `{"id":"__proto__","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"createdAt":"2026-11-20T10:00:00Z","amount":"1.00",${said}}`;
	for (const { parameters: valid } of OPERATIONS) {
		for (const body of [record, `{"data":[${record}]}`]) {
			const { json } = await send(valid, () => ({ body }));
			for (const item of json) expect(Object.getPrototypeOf(item)).toBe(Object.getPrototypeOf({}));
		}
	}
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect('polluted' in {}).toBe(false);
});

describe.each(OPERATIONS)('Read Only: $name', ({ effect, parameters: valid }) => {
	test(effect === 'read' ? 'is sent' : 'is refused before any request', async () => {
		const api = fakeApi(succeed);
		const { error } = await execute(api, valid, { credential: { readOnly: true } });
		expect(api.requests.map(({ method }) => method)).toEqual(effect === 'read' ? ['GET'] : []);
		if (effect === 'read') return;
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^The credential is read-only, so the operation was not run: \w+/,
			),
			description: expect.stringContaining('Read Only'),
			context: { itemIndex: 0 },
		});
	});
});
