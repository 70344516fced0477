import type { INodeParameters } from 'n8n-workflow';

import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import {
	execute,
	type ExecuteOptions,
	expectRefused,
	send,
	useFakeClock,
} from '../support/execute';
import {
	type ApiRequest,
	type FakeApi,
	fakeApi,
	listOf,
	refusal,
	type Reply,
	type Respond,
} from '../support/fakeApi';
import { CARD, parametersOf } from '../support/operations';

useFakeClock();

describe('sensitive details', () => {
	const parameters = parametersOf('card/getSensitiveDetails');

	test.each([{ sensitiveDetails: false }, {}])('are refused with %j', async (said) => {
		const credential = { baseUrl: 'https://api.example.com', apiKey: 'x', ...said };
		const getCredentials = async () => await Promise.resolve(credential);
		const context = { getCredentials };
		await expectRefused(parameters, /^The credential does not .*nothing was sent.*Allow/, {
			context,
		});
	});

	test('are hidden by n8n', () => {
		expect(new CardPlatform().description.sensitiveOutputFields).toEqual(['details']);
	});

	test('of another shape are refused', async () => {
		const { error } = await send(parameters, { method: 'x' });
		expect(error?.message).toContain(
			'instead of retrieval instructions (missing or invalid: details)',
		);
	});
});

const create = (more: INodeParameters = {}) => parametersOf('card/create', more);
const createWith = (additionalFields: INodeParameters) => create({ additionalFields });
const update = (updateFields: INodeParameters) => parametersOf('card/update', { updateFields });
const limit = (amount: string, type?: string): INodeParameters => ({
	value: { amount, ...(type !== undefined && { type }) },
});
const daily = { limit: limit('7.5', 'daily') };
/** Shows the card with what was sent. */
const echo: Respond = ({ body }) => ({ body: { id: CARD, ...(body as object) } });

test.each<[string, INodeParameters, object]>([
	['nothing more', {}, {}],
	['categories', { categories: ['airlines', 'lodging'] }, { categories: ['airlines', 'lodging'] }],
	['a limit', { limit: limit('5', ' monthly ') }, { limit: { amount: '5.00', type: 'monthly' } }],
	['custom fields', { customFields: '{"memo":"Q4","tags":["a"]}' }, { memo: 'Q4', tags: ['a'] }],
	['custom fields that win', { customFields: '{"type":"x"}' }, { type: 'x' }],
	// As each object has one.
	['a constructor', { customFields: '{"constructor":"x"}' }, { constructor: 'x' }],
])('create with %s', async (_name, additionalFields, more) => {
	const { sent, json } = await send(create({ name: ' Travel ', additionalFields }), echo);
	const body = { name: 'Travel', type: 'recurring', ...more };
	expect(sent).toEqual([{ method: 'POST', path: '/cards', query: {}, body }]);
	expect(json).toEqual([{ id: CARD, ...body }]);
});

describe('the card after a change', () => {
	const set = { ...daily, categories: ['parking', 'pet'] };
	const writes = [
		create({ name: 'Travel', additionalFields: set }),
		update({ name: ' Travel', ...set }),
	];
	const card = {
		id: CARD,
		name: 'Travel',
		type: 'recurring',
		limit: { amount: '7.5', type: 'daily' },
		categories: ['pet', 'parking'],
	};
	const other = { id: CARD.replace('ca4d', 'da4d') };
	const differs = (what: string) => `differs from what you set: ${what} of card ${CARD}`;

	/** What the API shows after the write, and of the card that is read then; what is said. */
	test.each<[string, object, Reply | undefined, string]>([
		['is shown', card, undefined, ''],
		['is shown under an ID in capitals', { ...card, id: CARD.toUpperCase() }, undefined, ''],
		['is read', { id: CARD }, { body: card }, ''],
		[
			'is shown in capitals',
			{ ...card, name: 'Travel ', type: 'RECURRING', limit: { amount: '7.50', type: 'Daily' } },
			undefined,
			'',
		],
		[
			'is shown without an ID, and read',
			{ ...card, id: undefined, success: true },
			{ body: card },
			'',
		],
		['is shown without its name, and read', { ...card, name: undefined }, { body: card }, ''],
		['is shown before the change, and read after', { ...card, limit: null }, { body: card }, ''],
		...(
			[
				['name', { name: 'Travel 2' }],
				['name', { name: null }],
				['limit', { limit: undefined }],
				['limit', { limit: {} }],
				['limit', { limit: { amount: 'unlimited', type: 'daily' } }],
				['limit', { limit: { amount: '7.50' } }],
				['limit', { limit: { amount: '7.51', type: 'daily' } }],
				['limit', { limit: { amount: '750', type: 'daily' } }],
				['limit', { limit: { amount: '7.50', type: 'monthly' } }],
				['categories', { categories: undefined }],
				['categories', { categories: ['parking'] }],
				['categories', { categories: ['parking', 'pet', 'other'] }],
				// Deprecated, it restricts the card, too.
				['categories', { category: 'lodging' }],
				['categories, limit', { limit: null, categories: [] }],
			] as const
		).map(([what, change]): [string, object, Reply, string] => [
			`has other ${what}: ${JSON.stringify(change)}`,
			{ id: CARD },
			{ body: { ...card, ...change } },
			differs(what),
		]),
		...[
			refusal(403),
			{ body: { ...card, ...other } },
			{ body: { ...card, limit: '7.50' } },
			{ body: { ...card, categories: [{ id: 'parking' }, { id: 'pet' }] } },
		].map((read): [string, object, Reply, string] => [
			`cannot be read: ${JSON.stringify(read.body)}`,
			{ id: CARD, state: 'queued' },
			read,
			`limit: card ${CARD}`,
		]),
	])('%s', async (_name, shown, read, says) => {
		for (const parameters of writes) {
			const isNew = parameters.operation === 'create';
			// A new card without an ID is never found.
			if (isNew && 'id' in shown && shown.id === undefined) continue;
			const respond: Respond = ({ method }) =>
				method === 'GET' ? (read ?? refusal(500)) : { body: shown };
			const { error, json, hints, sent, requests } = await send(parameters, respond);
			expect(error?.message ?? '').toContain(says);
			const id: unknown = expect.stringMatching(new RegExp(`^${CARD}$`, 'i'));
			// What was read is newer than the response.
			expect(json).toEqual(says === '' ? [{ ...shown, ...(read?.body as object), id }] : []);
			if (error) {
				expect(error.context).toMatchObject({ cardId: CARD, itemIndex: 0 });
				expect(error.description?.includes('creates another card')).toBe(isNew);
				const been = says.startsWith('differs') ? 'was' : 'may have been';
				expect(error.message).toContain(`The card ${been} ${isNew ? 'created' : 'updated'}, but`);
				const [first = NaN, second = NaN] = requests.slice(1).map(({ at }) => at);
				expect(second - first).toBe(1_000);
			}
			expect(hints).toEqual([]);
			expect(sent).toHaveLength(read === undefined ? 1 : error ? 3 : 2);
		}
	});

	test.each<[string, Reply]>([
		['is not there yet', refusal(404)],
		['is still as before', { body: { ...card, name: 'x', limit: null } }],
		['is another one', { body: { ...card, ...other } }],
	])('is read once more after a second, if it %s', async (_name, first) => {
		for (const parameters of writes) {
			const respond: Respond = ({ method }, count) =>
				method === 'GET' ? (count === 2 ? first : { body: card }) : { body: { id: CARD } };
			const { json, sent, requests } = await send(parameters, respond);
			expect(json).toEqual([card]);
			expect(sent).toHaveLength(3);
			expect(requests[2]?.at).toBe((requests[1]?.at ?? NaN) + 1_000);
		}
	});

	test('differs as it was read at last: the second time it could not be', async () => {
		const respond: Respond = ({ method }, count) =>
			method === 'GET' && count > 2 ? refusal(403) : { body: { ...card, limit: null } };
		for (const parameters of writes)
			expect((await send(parameters, respond)).error?.message).toContain(differs('limit'));
	});

	test('without what was sent, a workflow can freeze it: the error item has its ID', async () => {
		for (const parameters of writes) {
			const node = { onError: 'continueErrorOutput' } as const;
			const body = { ...card, limit: null };
			const { json } = await send(parameters, () => ({ body }), { node });
			expect(json).toMatchObject([{ message: { cardId: CARD } }]);
		}
	});

	test('a new card without an ID cannot be read: it may have been created', async () => {
		for (const body of [undefined, { success: true }, { data: card }, { ...card, id: undefined }]) {
			const { error, sent } = await send(writes[0] ?? {}, body);
			expect(error?.message).toBe(
				'The card may have been created, but the API does not show its name, type, categories, limit: card without an ID',
			);
			expect(sent).toHaveLength(2);
		}
	});

	test.each<[string, object[], object[] | undefined]>([
		['is found by its name', [{ ...card, ...other, name: 'Travel 2' }, card], [card]],
		['is not an archived one', [{ ...card, status: 'archived' }], undefined],
		['nor one of two', [card, { ...card, ...other }], undefined],
	])('a new card without an ID %s', async (_name, listed, found) => {
		const respond: Respond = ({ method, path, query }) => {
			if (method === 'POST') return { status: 204 };
			return path === '/cards' ? listOf(listed)({ query }) : { body: card };
		};
		const { json, error } = await send(writes[0] ?? {}, respond);
		expect(json).toEqual(found ?? []);
		expect(error === undefined).toBe(found !== undefined);
	});

	test('a new card of another type', async () => {
		const { error } = await send(create({ name: 'Travel', type: 'single-use' }), () => ({
			body: card,
		}));
		expect(error?.message).toContain(differs('type'));
	});

	test('an update is of the card that was asked for, whatever ID the response has', async () => {
		const job = { ...card, ...other, state: 'queued' };
		const read = async (limited: object) =>
			await send(update(daily), ({ method, path }: ApiRequest) => {
				if (method === 'PATCH') return { body: job };
				return path === `/cards/${CARD}` ? { body: limited } : { body: job };
			});
		expect((await read(card)).json).toEqual([{ ...job, ...card }]);
		expect((await read({ id: CARD })).error?.message).toContain(differs('limit'));
		// Custom Fields alone are not compared.
		const memo = update({ customFields: '{"memo":"x"}' });
		expect((await send(memo, job)).json).toEqual([{ ...job, id: CARD }]);
	});

	test.each<[object, object, string]>([
		[{ id: CARD, limit: null, categories: [] }, {}, ''],
		[{ id: CARD }, { id: CARD }, ''],
		[{ success: true }, { id: CARD, limit: null, categories: null }, ''],
		[{ id: CARD }, card, differs('categories, limit')],
		[{ success: true }, card, differs('categories, limit')],
	])('what was removed is gone: %j, then %j', async (shown, read, says) => {
		const removed = update({ removeLimit: true, clearCategories: true });
		const respond: Respond = ({ method }) => ({ body: method === 'GET' ? read : shown });
		const { error } = await send(removed, respond);
		expect(error?.message ?? '').toContain(says);
		expect(error === undefined).toBe(says === '');
	});

	test.each<[object, boolean]>([
		[{ limit: { amount: 7.5, type: 'daily' } }, true],
		[{ name: 'Other' }, false],
		[{ categories: [{ id: 'airlines' }] }, true],
		[{ limit: { amount: 8, type: 'daily' } }, false],
		[{ limit: { value: 8, period: 'daily' } }, true],
		[{ limit: '8' }, true],
		[{ categories: 'airlines' }, true],
	])(
		'Custom Fields are compared as far as they have the form of a card: %j',
		async (custom, isDone) => {
			const customFields = JSON.stringify(custom);
			const additionalFields = { customFields };
			for (const parameters of [
				create({ name: 'Travel', additionalFields }),
				update({ customFields }),
			]) {
				const { error } = await send(parameters, () => ({ body: card }));
				expect(error === undefined).toBe(isDone);
			}
		},
	);

	test('Custom Fields without that form: the card has to have something', async () => {
		const customFields = JSON.stringify({ limit: { value: 8 } });
		const { error } = await send(update({ customFields }), () => ({
			body: { ...card, limit: null },
		}));
		expect(error?.message).toContain(differs('limit'));
	});
});

test('an update without a response', async () => {
	const memo = update({ customFields: '{"memo":"x"}' });
	expect((await send(memo, ' \n')).json).toEqual([{ id: CARD, success: true }]);
});

test('an error with a status of success is no success', async () => {
	for (const parameters of [create(), update({ name: 'x' })]) {
		const { error } = await send(parameters, { code: 'x', message: 'No' });
		expect(error?.message).toContain('unexpected JSON instead of an object or an empty body');
		expect(error?.description).toContain('The outcome is unknown');
	}
});

test.each<[string, INodeParameters, object]>([
	['a name', { name: ' New ' }, { name: 'New' }],
	['categories', { categories: ['parking'] }, { categories: ['parking'] }],
	['switches off', { name: 'x', clearCategories: 'false', removeLimit: false }, { name: 'x' }],
	['no categories any more', { clearCategories: true }, { categories: [] }],
	['no limit any more', { removeLimit: 'true' }, { limit: null }],
	['a limit', { ...daily, removeLimit: false }, { limit: { amount: '7.50', type: 'daily' } }],
	['custom fields only', { customFields: '{"a":1}' }, { a: 1 }],
	['a custom field "mode"', { customFields: "={{ ({ mode: 'a' }) }}" }, { mode: 'a' }],
])('update with %s', async (_name, updateFields, body) => {
	const { sent, json: output } = await send(update(updateFields), echo);
	expect(sent).toEqual([{ method: 'PATCH', path: `/cards/${CARD}`, query: {}, body }]);
	expect(output).toEqual([{ id: CARD, ...body }]);
});

test.each<[string, INodeParameters]>([
	['There is nothing to update', update({})],
	['There is nothing to update', update({ clearCategories: false, removeLimit: false })],
	['Remove Categories conflicts', update({ clearCategories: true, categories: ['parking'] })],
	['Remove Limit conflicts with Limit', update({ removeLimit: true, ...daily })],
	['Remove Limit is not true or false: "yes"', update({ removeLimit: 'yes' })],
	[
		'Custom Fields conflicts with another field: "limit"',
		update({ ...daily, customFields: '{"limit":{"amount":"9"}}' }),
	],
	['Name is empty', create({ name: ' ' })],
	['Limit Amount is not a valid amount: "much"', createWith({ limit: limit('much', 'x') })],
	['Categories is not a list', update({ categories: 'parking' })],
	['Categories is not a list', update({ categories: '={{ [5] }}' })],
	['Categories is not a list', update({ categories: '={{ [""] }}' })],
])('%s: %j is refused', async (message, parameters) => {
	await expectRefused(parameters, message);
});

test('the hint lists the values of a field', async () => {
	const error = await expectRefused(create({ type: 'gold' }), 'Type has an invalid value: "gold"');
	expect(error?.description).toBe('"Type" must be one of: recurring, single-use.');
});

describe.each([
	['freeze', 'frozen', 'Froze', 'active'],
	['unfreeze', 'active', 'Unfroze', 'frozen'],
	['archive', 'archived', 'Archived', 'active'],
])('%s', (operation, status, past, before) => {
	const parameters = parametersOf(`card/${operation}`, { includeDetails: true });
	const write = `POST /cards/${CARD}/${operation}`;
	const read = `GET /cards/${CARD}`;
	const travel = { id: CARD, name: 'Team travel', lastFour: '7751' };
	const run = async (
		responses: Record<string, Reply>,
		options: ExecuteOptions = {},
		more: INodeParameters = {},
	) => {
		const respond: Respond = ({ method, path }) => responses[`${method} ${path}`] ?? refusal(404);
		const { sent, ...rest } = await send({ ...parameters, ...more }, respond, options);
		return { ...rest, paths: sent.map(({ method, path }) => `${method} ${path}`) };
	};

	test.each([
		[before, true, `${past} Team travel (•••• 7751)`],
		[status, false, `Team travel (•••• 7751) was already ${status}`],
	])(
		'reads the card before, which is %s: changed: %s',
		async (previousStatus, changed, summary) => {
			const body = { ...travel, status: previousStatus, balance: '1.00' };
			const { json, hints, paths } = await run({ [write]: { status: 204 }, [read]: { body } });
			const known = { name: 'Team travel', lastFour: '7751', status, previousStatus, changed };
			expect(json).toEqual([{ summary, ...known, success: true, id: CARD }]);
			expect(hints).toEqual([]);
			expect(paths).toEqual([read, write]);
		},
	);

	test.each<[string, Reply]>([
		['404', refusal(404)],
		['500', refusal(500)],
		['429', refusal(429, { 'retry-after': '1' })],
		['no card', { body: [] }],
		['another card', { body: { ...travel, id: 'x', status: 'archived' } }],
	])('is done where the read gives %s, once, and a hint says so', async (_name, reply) => {
		const { json, hints, paths } = await run({ [write]: { status: 204 }, [read]: reply });
		expect(json).toEqual([{ summary: `${past} Card ${CARD}`, status, success: true, id: CARD }]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('could not read') }]);
		expect(paths).toEqual([read, write]);
	});

	test.each([1, 32])('a read that hangs takes 5 s (%d at once)', async (maxConcurrentRequests) => {
		const times: number[] = [];
		const respond: Respond = async ({ method, at }) => {
			times.push(at);
			if (method === 'GET') await new Promise((resolve) => setTimeout(resolve, 3_600_000));
			return { status: 204 };
		};
		// n8n's own time limit does not end a response that comes byte by byte.
		const api = fakeApi(respond);
		const slow: FakeApi['send'] = async (options) =>
			await api.send({ ...options, timeout: undefined });
		const credential = { maxConcurrentRequests, advanced: true };
		const { error } = await execute({ ...api, send: slow }, parameters, { credential });
		expect(error).toBeUndefined();
		expect(times).toEqual([0, 5_000]);
	});

	test('is done where the card has no status', async () => {
		const { json } = await run({ [write]: { status: 204 }, [read]: { body: { id: CARD } } });
		expect(json).toMatchObject([{ summary: `${past} Card ${CARD}`, success: true }]);
	});

	test('an archived card is refused before anything is sent', async () => {
		const body = { ...travel, status: 'archived' };
		const { error, paths, json } = await run({ [write]: { status: 204 }, [read]: { body } });
		if (operation === 'archive') {
			expect(json).toMatchObject([{ changed: false }]);
			expect(paths).toEqual([read, write]);
			return;
		}
		expect(error?.message).toBe('Team travel (•••• 7751) is archived, so nothing was sent');
		expect(paths).toEqual([read]);
		// A workflow can tell it from a failure.
		const continued = await run({ [read]: { body } }, { node: { onError: 'continueErrorOutput' } });
		expect(continued.json).toMatchObject([{ message: { previousStatus: 'archived' } }]);
	});

	test.each([
		undefined,
		{},
		{ code: 'x', message: 'No' },
		{ errors: ['No'] },
		{ success: false },
		{ data: { status: 'x' } },
		{ id: CARD, status },
	])('after a 200 with %j, only the card tells whether it was changed', async (body) => {
		for (const found of [
			{ ...travel, status },
			{ ...travel, status: status.toUpperCase() },
			{ ...travel, status: 'x' },
			{ ...travel, status, id: 'x' },
		]) {
			const answers = { [write]: { body }, [read]: { body: found } };
			const { error, paths } = await run(answers, {}, { includeDetails: false });
			const isDone = found.id === travel.id && found.status !== 'x';
			expect(error === undefined).toBe(isDone);
			if (!isDone) {
				expect(error?.message).toContain('instead of status 204');
				expect(error?.description).toContain('The outcome is unknown');
			}
			expect(paths).toEqual([write, read]);
		}
	});

	test('fails with the write', async () => {
		const { error, hints } = await run({ [write]: refusal(400) });
		expect(error?.message).toBe('Some message (400 some-code)');
		expect(hints).toEqual([]);
	});
});

test('1,000 cards whose details hang: each is frozen', async () => {
	const api = fakeApi(async ({ method }) => {
		if (method === 'GET') await new Promise((resolve) => setTimeout(resolve, 3_600_000));
		return { status: 204 };
	});
	const items = Array.from({ length: 1_000 }, () => ({}));
	const freeze = parametersOf('card/freeze', { includeDetails: true });
	const { json } = await execute(api, freeze, { items });
	expect(json).toHaveLength(1_000);
	expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1_000);
	// Four at a time.
	expect(Math.max(...api.requests.map(({ at }) => at))).toBeLessThan(200_000);
});

describe('Get Many with details', () => {
	const listed = ['a', 'b', 'c'].map((id) => ({ id, name: `Card ${id}`, listOnly: id }));
	const details = (id: string) => ({ id, name: `Renamed ${id}`, balance: '1.00' });
	const get = async (respond: Respond, options: INodeParameters = { includeDetails: true }) => {
		const answer: Respond = (request, count) =>
			request.path === '/cards' ? { body: listed } : respond(request, count);
		const parameters = parametersOf('card/getAll', { limit: 3, options });
		const { sent, ...rest } = await send(parameters, answer);
		return { ...rest, paths: sent.map(({ path }) => path) };
	};

	test('one request for each card, in the order of the list; the details are newer', async () => {
		const { json: output, paths } = await get(({ path }) => ({ body: details(path.slice(-1)) }));
		expect(output).toEqual(['a', 'b', 'c'].map((id) => ({ ...details(id), listOnly: id })));
		expect(paths.toSorted()).toEqual(['/cards', '/cards/a', '/cards/b', '/cards/c']);
	});

	test.each([{}, { includeDetails: false }])('none with %j', async (options) => {
		const { json: output, paths } = await get(() => refusal(404), options);
		expect(output).toEqual(listed);
		expect(paths).toEqual(['/cards']);
	});

	test('a card that is gone is output as it was listed, with a mark', async () => {
		const { json: output, error } = await get(({ path }) =>
			path === '/cards/b' ? refusal(404) : { body: details(path.slice(-1)) },
		);
		expect(error).toBeUndefined();
		expect(output[1]).toEqual({ ...listed[1], detailsNotFound: true });
		expect(output.map(({ balance }) => balance)).toEqual(['1.00', undefined, '1.00']);
	});

	test.each<[string, Reply]>([
		['Some message (403 some-code)', refusal(403)],
		['The API returned 404 with "no route"', { status: 404, body: 'no route' }],
	])('any other failure is an error of the node: %s', async (message, reply) => {
		const { json: output, error } = await get(() => reply);
		expect(output).toEqual([]);
		expect(error?.message).toContain(message);
	});
});
