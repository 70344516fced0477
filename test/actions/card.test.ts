import type { INodeParameters } from 'n8n-workflow';

import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { expectRefused, send, useFakeClock } from '../support/execute';
import { refusal, type Reply, type Respond } from '../support/fakeApi';
import { CARD, parametersOf } from '../support/operations';

useFakeClock();

describe('sensitive details', () => {
	const parameters = parametersOf('card/getSensitiveDetails');

	test.each([{ sensitiveDetails: false }, {}])('are refused with %j', async (said) => {
		const credential = { baseUrl: 'https://api.example.com', apiKey: 'x', ...said };
		const getCredentials = async () => await Promise.resolve(credential);
		const context = { getCredentials };
		await expectRefused(parameters, /nothing was sent.*Allow Sensitive Details/, { context });
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

test.each<[string, INodeParameters, object]>([
	['nothing more', {}, {}],
	['categories', { categories: ['airlines', 'lodging'] }, { categories: ['airlines', 'lodging'] }],
	[
		'a limit',
		{ limit: limit('500', ' monthly ') },
		{ limit: { amount: '500.00', type: 'monthly' } },
	],
	['custom fields', { customFields: '{"memo":"Q4","tags":["a"]}' }, { memo: 'Q4', tags: ['a'] }],
	['custom fields that win', { customFields: '{"type":"x"}' }, { type: 'x' }],
])('create with %s', async (_name, additionalFields, more) => {
	const { sent, json: output } = await send(create({ name: ' Travel ', additionalFields }));
	const body = { name: 'Travel', type: 'recurring', ...more };
	expect(sent).toEqual([{ method: 'POST', path: '/cards', query: {}, body }]);
	expect(output).toEqual([{ success: true }]);
});

test('the response is the output', async () => {
	const made = { id: CARD, name: 'Travel' };
	expect((await send(create(), made)).json).toEqual([made]);
	expect((await send(update({ name: 'x' }), made)).json).toEqual([made]);
});

test.each<[string, INodeParameters, object]>([
	['a name', { name: ' New ' }, { name: 'New' }],
	['categories', { categories: ['parking'] }, { categories: ['parking'] }],
	['switches off', { name: 'x', clearCategories: 'false', removeLimit: false }, { name: 'x' }],
	['no categories any more', { clearCategories: true }, { categories: [] }],
	['no limit any more', { removeLimit: 'true' }, { limit: null }],
	[
		'a limit',
		{ limit: limit('7.5', 'daily'), removeLimit: false },
		{ limit: { amount: '7.50', type: 'daily' } },
	],
	['custom fields only', { customFields: '{"a":1}' }, { a: 1 }],
])('update with %s', async (_name, updateFields, body) => {
	const { sent, json: output } = await send(update(updateFields));
	expect(sent).toEqual([{ method: 'PATCH', path: `/cards/${CARD}`, query: {}, body }]);
	expect(output).toEqual([{ id: CARD, success: true }]);
});

test.each<[string, INodeParameters]>([
	['There is nothing to update', update({})],
	['There is nothing to update', update({ clearCategories: false, removeLimit: false })],
	[
		'Clear Categories conflicts with Categories',
		update({ clearCategories: true, categories: ['parking'] }),
	],
	['Remove Limit conflicts with Limit', update({ removeLimit: true, limit: limit('5', 'daily') })],
	['Remove Limit is not true or false: "yes"', update({ removeLimit: 'yes' })],
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
	['freeze', 'frozen'],
	['unfreeze', 'active'],
	['archive', 'archived'],
])('%s with details', (operation, status) => {
	const parameters = parametersOf(`card/${operation}`, { options: { includeDetails: true } });
	const write = `POST /cards/${CARD}/${operation}`;
	const read = `GET /cards/${CARD}`;
	const run = async (responses: Record<string, Reply>) => {
		const respond: Respond = ({ method, path }) => responses[`${method} ${path}`] ?? refusal(404);
		const { sent, ...rest } = await send(parameters, respond);
		return { ...rest, paths: sent.map(({ method, path }) => `${method} ${path}`) };
	};

	test('returns the card as it is afterwards', async () => {
		const body = { id: CARD, name: 'Travel', status: 'as the API says', balance: '1.00' };
		const { json: output, paths } = await run({ [write]: { status: 204 }, [read]: { body } });
		expect(output).toEqual([{ ...body, success: true }]);
		expect(paths).toEqual([write, read]);
	});

	test.each<[Reply, string]>([
		[refusal(404), 'Some message (404 some-code)'],
		[{ body: [] }, 'instead of a card'],
	])('has succeeded, and says why there are none: %j', async (reply, reason) => {
		const { json: output, error } = await run({ [write]: { status: 204 }, [read]: reply });
		expect(error).toBeUndefined();
		const detailsError = expect.stringContaining(reason);
		expect(output).toEqual([{ id: CARD, status, success: true, detailsError }]);
	});

	test('fails with the write, and reads nothing', async () => {
		const { error, paths } = await run({ [write]: refusal(400) });
		expect(error?.message).toBe('Some message (400 some-code)');
		expect(paths).toEqual([write]);
	});
});

describe('Get Many with details', () => {
	const listed = ['a', 'b', 'c'].map((id) => ({ id, name: `Card ${id}`, listOnly: id }));
	const details = (id: string) => ({ id, name: `Renamed ${id}`, balance: '1.00' });
	const get = async (respond: Respond, options: INodeParameters = { includeDetails: true }) => {
		const answer: Respond = (request, count) =>
			request.path === '/cards' ? { body: listed } : respond(request, count);
		const { sent, ...rest } = await send(
			parametersOf('card/getAll', { limit: 3, options }),
			answer,
		);
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

	test('any other failure is an error of the node', async () => {
		const { json: output, error } = await get(() => refusal(403));
		expect(output).toEqual([]);
		expect(error?.message).toBe('Some message (403 some-code)');
	});
});
