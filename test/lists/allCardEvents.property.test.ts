import fc from 'fast-check';

import { newestEvents } from '../../nodes/CardPlatform/events/cardEvents';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { FakeCardApi, idOf } from '../support/fakeCardApi';

const HOUR = 3_600_000;

const card = fc.nat(5).map((number) => `card-${number}`);

const past = fc.record({
	card,
	/** In hours, so that several have the same time. */
	ago: fc.nat(12),
	isListed: fc.boolean(),
	/** Clearing, refund and so on. */
	laterEvents: fc.nat(2),
});

/** Something that happens while the events are read. */
const change = fc.oneof(
	fc.record({ kind: fc.constant('purchase' as const), card }),
	fc.record({ kind: fc.constant('event' as const), which: fc.nat() }),
	fc.record({ kind: fc.constant('new card' as const), which: fc.nat() }),
);

const scenario = fc.record({
	past: fc.array(past, { maxLength: 20 }),
	changes: fc.array(change, { maxLength: 15 }),
	/** The period, in hours before now; its end may lie in the future. */
	from: fc.integer({ min: 1, max: 14 }),
	length: fc.integer({ min: 1, max: 16 }),
	limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: Infinity }),
});

test('whatever happens during the read, no event from before it is missing or comes twice', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ past, changes, from, length, limit }) => {
			const api = new FakeCardApi();
			const made = past.map(({ card: cardId, ago, isListed, laterEvents }) => {
				const { id, eventId } = api.purchase(cardId, { ago: ago * HOUR, isListed });
				const later = Array.from({ length: laterEvents }, () => api.addEvent(id));
				return { id, isListed, createdAt: api.now - ago * HOUR, ids: [eventId, ...later] };
			});
			const period = { from: api.now - from * HOUR, to: api.now - (from - length) * HOUR };
			const isInPeriod = (time: number) => time >= period.from && time < period.to;

			const pending = [...changes];
			api.beforeResponse = () => {
				api.now += 1;
				const next = pending.shift();
				if (next?.kind === 'purchase') api.purchase(next.card);
				if (next?.kind === 'new card') api.purchase(`new-card-${next.which}`);
				const changed = made[(next?.kind === 'event' ? next.which : 0) % made.length];
				if (next?.kind === 'event' && changed !== undefined) api.addEvent(changed.id);
			};
			const choice = parseEventTypes(['all'], 'Event Types', false);
			const events = await newestEvents(api, { ...period, choice, limit });

			const ids = events.map(idOf);
			const times = ids.map((id) => api.timeOf(id));
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBeLessThanOrEqual(limit);
			expect(times).toEqual([...times].sort((a, b) => b - a));
			expect(times.filter((time) => !isInPeriod(time))).toEqual([]);

			// With a limit, only what is newer than the oldest of the result has to be there.
			const oldest = ids.length === limit ? (times.at(-1) ?? Infinity) : -Infinity;
			const expected = made
				.filter(({ isListed, createdAt }) => isListed && isInPeriod(createdAt))
				.filter(({ createdAt }) => createdAt > oldest)
				.flatMap((each) => each.ids);
			expect(ids).toEqual(expect.arrayContaining(expected));

			// The events of a transaction have one time: they keep the order of the API, newest first.
			for (const each of made) {
				const own = ids.filter((id) => each.ids.includes(id));
				expect(own).toEqual([...each.ids].reverse().filter((id) => own.includes(id)));
			}
		}),
		{ numRuns: 300 },
	);
});
