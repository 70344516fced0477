import { createNode } from '../../dev/harness/core/credentials.ts';
import { findPriorStart } from '../../nodes/CardPlatform/events/deduplicate';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { normalizeFilter } from '../../nodes/CardPlatform/events/filters';
import { eventKey } from '../../nodes/CardPlatform/events/keys';

const delivery = (eventId: string) => ({ eventId, timestamp: eventId });

/** By the id of an event, whatever the headers say; by its content without one. */
test.each<[object, object, boolean]>([
	[{ id: 'e1', amount: '1' }, { id: 'e1', amount: '2' }, true],
	[{ id: 'e1', amount: '1' }, { id: 'e2', amount: '1' }, false],
	...[undefined, null, '', 7, {}].flatMap((id): [object, object, boolean][] => [
		[{ id, amount: '1' }, { id, amount: '1' }, true],
		[{ id, amount: '1' }, { id, amount: '2' }, false],
	]),
])('%j and %j are the same event: %s', (one, other, isSame) => {
	const key = eventKey({ ...one, delivery: delivery('a') });
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(eventKey({ ...other, delivery: delivery('b') }) === key).toBe(isSame);
});

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

/** Starts a workflow with two equivalent triggers, which are not connected, by the one with a name. */
const starter = (id: string, ...names: string[]) => {
	const type = 'n8n-nodes-card-platform.cardPlatformTrigger';
	const parameters = { events: ['declined'] };
	const nodes = Object.fromEntries(
		names.map((name) => [name, { id: name, name, type, parameters }]),
	);
	return (name: string) => {
		const context = {
			getNode: () => createNode('cardPlatformTrigger', {}, { id: name, name }),
			getWorkflow: () => ({ id, active: true }),
			workflow: { nodes, connectionsBySourceNode: {} },
		};
		const choice = parseEventTypes('all', 'Trigger On', false);
		return findPriorStart(context, { id: 'e1' }, choice, false);
	};
};

test('the node of an execution may lack parameters that the workflow has', () => {
	const start = starter('lacks', 'A', 'B');
	start('A').remember();
	expect(start('B').reason).toBe('duplicate');
});

test('a trigger may have the name of what each object has', () => {
	const start = starter('named', 'constructor', 'B');
	start('constructor').remember();
	expect(start('B').reason).toBe('duplicate');
});

test.each([
	[true, 'currencies', 'USD, EUR', 'eur,USD'],
	[true, 'minimumAmount', '500', '500.00'],
	[true, 'minimumAmount', 500, '500.0'],
	[true, 'merchantName', 'Hotel', ' hotel'],
	[false, 'currencies', 'USD', 'EUR'],
	[false, 'minimumAmount', '500', '500.01'],
	[false, 'merchantName', 'a,b', 'b,a'],
	[false, 'currencies', '={{ $vars.a }}', '={{ $vars.A }}'],
	[false, 'currencies', 'wrong', 'other'],
	[false, 'unknown', 'a', 'b'],
])('a filter means the same: %j, %s %j and %j', (isSame, name, one, other) => {
	const [meaning, same] = [one, other].map((value) => JSON.stringify(normalizeFilter(name, value)));
	expect(meaning === same).toBe(isSame);
});
