import { createNode } from '../../dev/harness/core/runNode.ts';
import { dedupeKey, eventKey, findPriorStart } from '../../nodes/CardPlatform/events/deduplicate';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { meaningOf } from '../../nodes/CardPlatform/events/filters';

const CARD = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

const delivery = (eventId: string) => ({ eventId, timestamp: eventId });

test('an event is recognised by its id, whatever the headers say', () => {
	const key = eventKey({ id: 'e1', amount: '1', delivery: delivery('a') });
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(eventKey({ id: 'e1', amount: '2', delivery: delivery('b') })).toBe(key);
	expect(eventKey({ id: 'e2', amount: '1', delivery: delivery('a') })).not.toBe(key);
});

test.each([undefined, null, '', 7, {}])(
	'an event whose id is %j is recognised by its content',
	(id) => {
		const key = eventKey({ id, amount: '1', delivery: delivery('a') });
		expect(eventKey({ id, amount: '1', delivery: delivery('b') })).toBe(key);
		expect(eventKey({ id, amount: '2', delivery: delivery('a') })).not.toBe(key);
	},
);

test("an event's own field delivery is part of its content, and the headers are not", () => {
	const keyOf = (eventId: string, fromEvent: unknown) =>
		eventKey({ amount: '1', delivery: { ...delivery(eventId), fromEvent } });
	expect(keyOf('a', 'x')).toBe(keyOf('b', 'x'));
	expect(keyOf('a', 'x')).not.toBe(keyOf('a', 'y'));
	expect(keyOf('a', 'x')).not.toBe(eventKey({ amount: '1', delivery: delivery('a') }));
});

test('an id that looks like the content of another event is not mistaken for it', () => {
	const event = { amount: '1' };
	expect(eventKey({ id: JSON.stringify(event) })).not.toBe(eventKey(event));
	expect(eventKey({ id: `content:${JSON.stringify(event)}` })).not.toBe(eventKey(event));
});

test('the key of an approval is its purchase, unless each counts; that of another event is the event', () => {
	const approval = { id: 'e1', transactionId: 't1', isSuccess: true, amountDirection: 'debit' };
	const keyOf = (event: object, everyApproval = false) =>
		dedupeKey({ ...event }, parseEventTypes('approved', 'Trigger On', everyApproval));
	expect(keyOf(approval)).toBe(keyOf({ ...approval, id: 'e2' }));
	expect(keyOf(approval)).not.toBe(keyOf({ ...approval, transactionId: 't2' }));
	expect(keyOf(approval, true)).toBe(eventKey(approval));
	expect(keyOf({ ...approval, isSuccess: false })).toBe(eventKey(approval));
	expect(keyOf({ ...approval, transactionId: '' })).toBe(eventKey(approval));
});

test('a process remembers 10 000 starts and forgets the oldest', () => {
	const node = createNode('cardPlatformTrigger', {});
	const context = { getNode: () => node, getWorkflow: () => ({ id: 'w', active: true }) };
	const choice = parseEventTypes('all', 'Trigger On', false);
	const start = (id: string) => findPriorStart(context, { id }, choice, false);
	for (let each = 0; each < 10_000; each++) start(String(each)).remember();
	expect(start('0').reason).toBe('duplicate');
	start('last').remember();
	expect(['0', '1', 'last'].map((id) => start(id).reason)).toEqual([
		undefined,
		'duplicate',
		'duplicate',
	]);
});

describe('two triggers are equivalent, so that what starts one does not start the other,', () => {
	type Parameters = Record<string, unknown>;
	const toNext = [{ node: 'Next', type: 'main', index: 0 }];
	const contextOf = (name: string, other: Parameters, more: object = {}) => {
		const parameters = {
			events: ['approved', 'declined'],
			filters: { currencies: 'USD', cardIds: CARD },
		};
		const type = 'n8n-nodes-card-platform.cardPlatformTrigger';
		const nodes = {
			A: { id: 'a', name: 'A', type, parameters },
			B: { id: 'b', name: 'B', type, parameters: { ...parameters, ...other } },
			...more,
		};
		const connectionsBySourceNode = { A: { main: [toNext] }, B: { main: [toNext] } };
		return {
			// A node of an execution may lack what the workflow's has.
			getNode: () => createNode('cardPlatformTrigger', {}, { id: name.toLowerCase(), name }),
			getWorkflow: () => ({ id: 'agreeing', active: true }),
			workflow: { nodes, connectionsBySourceNode },
		};
	};
	let count = 0;
	const isSecondDropped = (first: object, second: object) => {
		const choice = parseEventTypes('all', 'Trigger On', false);
		const event = { id: `agreed-${count++}` };
		findPriorStart(first as never, event, choice, false).remember();
		return findPriorStart(second as never, event, choice, false).reason === 'duplicate';
	};

	// deduplication.http.test.ts has those that start other nodes, or other events.
	test.each<[string, boolean, Parameters]>([
		['as they are equal', true, {}],
		['in whatever order the types are', true, { events: ['declined', 'approved'] }],
		['in whatever order the filters are', true, { filters: { cardIds: CARD, currencies: 'USD' } }],
		[
			'however the filters are written',
			true,
			{ filters: { cardIds: CARD.toUpperCase(), currencies: ' usd,USD' } },
		],
		['but not with an expression', false, { filters: { cardIds: CARD, currencies: '=USD' } }],
		[
			'with an option that is off, like one that is not there',
			true,
			{ options: { everyApproval: false } },
		],
		['whatever their other options are', true, { options: { timestampTolerance: 1 } }],
		['but not with Each Approved Step at one of them', false, { options: { everyApproval: true } }],
	])('%s', (_, agree, parameters) => {
		const [a, b] = ['A', 'B'].map((name) => contextOf(name, parameters));
		expect(isSecondDropped(a ?? {}, b ?? {})).toBe(agree);
	});

	test('and a node that is no trigger does not count', () => {
		const set = { id: 'a', name: 'Set', type: 'x.cardPlatformTriggerSettings', parameters: {} };
		const more = { Set: { ...set, parameters: contextOf('A', {}).workflow.nodes.A.parameters } };
		const later = contextOf('A', {}, more);
		Object.assign(later.workflow.connectionsBySourceNode, { Set: { main: [toNext] } });
		expect(isSecondDropped(contextOf('A', {}), later)).toBe(true);
	});
});

test.each([
	[true, 'currencies', 'USD, EUR', 'eur,USD'],
	[true, 'minimumAmount', '500', '500.00'],
	[true, 'minimumAmount', 500, '500.0'],
	[true, 'merchantName', 'Hotel', ' hotel'],
	[false, 'minimumAmount', '500', '500.01'],
	[false, 'merchantName', 'a,b', 'b,a'],
	[false, 'currencies', '={{ $vars.a }}', '={{ $vars.A }}'],
	[false, 'currencies', 'wrong', 'other'],
	[false, 'unknown', 'a', 'b'],
])('a filter means the same: %j, %s %j and %j', (isSame, name, one, other) => {
	const [meaning, same] = [one, other].map((value) => JSON.stringify(meaningOf(name, value)));
	expect(meaning === same).toBe(isSame);
});
