import type { INodeParameters } from 'n8n-workflow';

import { expectRefused, send, useFakeClock } from '../support/execute';
import type { Respond } from '../support/fakeApi';
import { byId, CARD, parametersOf } from '../support/operations';

// Which cards and events Get Many reads. Its order and its period: newestEvents.test.ts, the property test.

useFakeClock();

const OTHER = '5a1c6a52-3b0e-4d69-9c58-2f6d0d1f7a11';
const approved = (id: string, cardId: string, transactionId: string, day: number) => ({
	...{ id, cardId, transactionId, amount: '9.00', amountDirection: 'debit', isSuccess: true },
	createdAt: `2026-11-0${day}T10:00:00Z`,
});
/** A purchase that clears later, and one with another card. */
const made = [approved('clearing', CARD, 't1', 3), approved('authorization', CARD, 't1', 3)];
const ofOther = [approved('other', OTHER, 't2', 2)];

const respond: Respond = ({ path, query: { page = '1' } }) => {
	const events = path.includes(CARD) ? made : ofOther;
	const rows = [...made.slice(1), ...ofOther].map((each) => ({ ...each, id: each.transactionId }));
	return { body: page === '1' ? (path === '/transactions' ? rows : events) : [] };
};
const createdAfter = '2026-11-01';

/** The IDs of the events that Get Many gives. */
async function idsOf(parameters: INodeParameters, filters: INodeParameters = { createdAfter }) {
	const all = { cardScope: 'all', returnAll: true, ...parameters, filters };
	const { json, error } = await send(parametersOf('cardEvent/getAll', all), respond);
	expect(error).toBeUndefined();
	return json.map(({ id }) => id);
}

test.each(['one', 'all'])(
	'of %s card, approved: each purchase once, or each step',
	async (scope) => {
		const of = { cardScope: scope, cardId: byId(CARD) };
		const others = scope === 'all' ? ['other'] : [];
		const filters = { createdAfter, events: ['approved'] };
		const options = { everyApproval: true };
		expect(await idsOf(of, filters)).toEqual(['authorization', ...others]);
		expect(await idsOf({ ...of, options }, filters)).toEqual([
			'clearing',
			'authorization',
			...others,
		]);
		expect(await idsOf(of)).toEqual(['clearing', 'authorization', ...others]);
	},
);

test.each(['one', 'all'])(
	'of %s card, what has no readable time is in no period, and a hint says so',
	async (cardScope) => {
		const events = [{ createdAt: 'soon' }, {}, { createdAt: 'soon', isSuccess: false }, {}];
		const all = events.map((each, index) => ({
			...made[0],
			createdAt: undefined,
			...each,
			id: `${index}`,
		}));
		const filters = { createdAfter, events: ['approved'] };
		const parameters = { cardScope, cardId: byId(CARD), returnAll: true, filters };
		const answer: Respond = (request, count) =>
			request.path === '/transactions'
				? respond(request, count)
				: { body: request.path.includes(CARD) ? all : [] };
		const { json, hints } = await send(parametersOf('cardEvent/getAll', parameters), answer);
		expect(json).toEqual([]);
		const message = 'This node left out records whose createdAt it could not read: 3.';
		expect(hints).toContainEqual(expect.objectContaining({ message }));
	},
);

test('a filter may select the cards', async () => {
	expect(await idsOf({}, { createdAfter, cardIds: OTHER })).toEqual(['other']);
});

test('Cards may be an expression: "all" needs no card, "one" needs no period', async () => {
	const all = await idsOf({ cardScope: "={{ 'all' }}", cardId: byId("={{ '' }}") });
	expect(all).toEqual(['clearing', 'authorization', 'other']);
	const one = { cardScope: "={{ 'one' }}", cardId: byId(`={{ '${OTHER}' }}`) };
	expect(await idsOf(one, {})).toEqual(['other']);
	const every = parametersOf('cardEvent/getAll', { cardScope: "={{ 'every' }}" });
	const error = await expectRefused(every, 'Cards has an invalid value: "every"');
	expect(error?.description).toContain('one, all');
});
