import { isDataObject } from '../../nodes/CardPlatform/api/values';
import { execute, send, useFakeClock } from '../support/execute';
import { fakeApi } from '../support/fakeApi';
import { byId, CARD, OPERATIONS, parametersOf, succeed, succeedWith } from '../support/operations';

// What each operation sends and returns; what has more to say has a file for its resource.

useFakeClock();

const otherEvent = { eventType: 'other', summary: 'Other event', declineReason: null, id: 'e' };
const changed = (status: string, done: string) => ({
	summary: `${done} Card ${CARD}`,
	status,
	success: true,
	id: CARD,
});
/** An ID as a person may paste it. */
const cardId = byId(` ${CARD.toUpperCase()} `);

/** Name, request, response and item. */
const ROWS: [string, string, unknown, unknown][] = [
	['card/get', `GET /cards/${CARD}`, { id: CARD }, { id: CARD }],
	['card/freeze', `POST /cards/${CARD}/freeze`, undefined, changed('frozen', 'Froze')],
	['card/unfreeze', `POST /cards/${CARD}/unfreeze`, ' \n', changed('active', 'Unfroze')],
	['card/archive', `POST /cards/${CARD}/archive`, {}, changed('archived', 'Archived')],
	['connection/check', 'GET /health', { up: true }, { success: true, response: { up: true } }],
	['connection/check', 'GET /health', 'OK', { success: true, response: 'OK' }],
	['connection/check', 'GET /health', undefined, { success: true, response: '' }],
	['cardEvent/getAll', `GET /cards/${CARD}/financial-events`, [{ id: 'e' }], otherEvent],
];

/** Operations that have more to say, and where. */
const ELSEWHERE: Record<string, string> = {
	'account/rename': 'account.test.ts',
	'account/transfer': 'transfers/transfer.test.ts',
	'card/create': 'card.test.ts',
	'card/update': 'card.test.ts',
	'cardEvent/count': 'cardEvent.test.ts',
	'payment/getAll': 'payment.test.ts',
};

/** The example of openapi.yaml as it is, a list with one record. */
const succeedWithOne = succeedWith((list) => list);
const recordsOf = (body: unknown) =>
	isDataObject(body) && 'data' in body ? [body.data].flat() : [body];

const told = new Set([...ROWS.map(([name]) => name), ...Object.keys(ELSEWHERE)]);

test.each(OPERATIONS.filter(({ name }) => !told.has(name)))(
	'$name sends one request, and returns its response or what is in its data; if it does more, it needs a row in ROWS of this file, or its test in ELSEWHERE',
	async ({ parameters }) => {
		const { json, sent, error } = await send(parameters, succeedWithOne);
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(1);
		expect(json).toEqual(sent.flatMap((request) => recordsOf(succeedWithOne(request).body)));
	},
);

test.each(OPERATIONS)(
	'$name: the effect $effect is "read" if it sends GET only, and no other',
	async ({ parameters, effect }) => {
		const { sent } = await send(parameters, succeed);
		expect(effect === 'read').toBe(sent.every(({ method }) => method === 'GET'));
	},
);

test.each(ROWS)('%s: %s, and its response %j as an item', async (name, request, body, item) => {
	const parameters = parametersOf(name);
	const { json, sent, error, hints } = await send(
		'cardId' in parameters ? { ...parameters, cardId } : parameters,
		request.startsWith('POST') ? () => ({ status: 204, body }) : body,
	);
	expect([error, hints]).toEqual([undefined, []]);
	const [method, path] = request.split(' ');
	expect(sent).toEqual([{ method, path, query: {} }]);
	expect(json).toEqual([item]);
});

test.each([
	['customer', [expect.stringContaining('probably cover all accounts')]],
	['account', []],
])('the balance of a key of the scope %s: the hints are %j', async (keyScope, messages) => {
	const { hints } = await send(parametersOf('balance/get'), succeed, { credential: { keyScope } });
	expect(hints.map(({ message }) => message)).toEqual(messages);
});

const get = parametersOf('card/get');

test('the key and nothing else of the credential is sent, for a response in JSON, not compressed and from no cache', async () => {
	const { requests } = await send(get, { id: CARD });
	expect(requests.map(({ headers }) => headers)).toEqual([
		{
			Accept: 'application/json',
			'Accept-Encoding': 'identity',
			'Cache-Control': 'no-cache',
			Authorization: 'Bearer secret-key-1234',
		},
	]);
});

test('a response whose empty body n8n leaves out', async () => {
	const api = fakeApi(() => ({ status: 204 }));
	const sendNone = async () =>
		await Promise.resolve({ statusCode: 204, headers: {}, body: undefined });
	const { json } = await execute({ ...api, send: sendNone }, parametersOf('card/freeze'));
	expect(json).toEqual([changed('frozen', 'Froze')]);
});
