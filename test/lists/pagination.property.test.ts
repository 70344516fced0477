import fc from 'fast-check';
import { z } from 'zod';

import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { changingList, fast, items, serve, type Shape } from '../support/pages';

const shape = fc.constantFrom<Shape>('envelope', 'capped', 'bare');

test('returns exactly the first items up to the limit, in order, whatever the shape', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 1_500 }),
			fc.oneof(fc.integer({ min: 1, max: 1_600 }), fc.constant(Infinity)),
			shape,
			async (count, limit, each) => {
				const all = items(count);
				const { fetchPage } = serve(() => all, each);
				const wanted = all.slice(0, limit);
				expect(await collectPages(fetchPage, { limit, ...fast })).toEqual(wanted);
			},
		),
	);
});

test('a server whose pages are smaller than asked for loses nothing', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 500 }),
			fc.integer({ min: 1, max: 100 }),
			shape,
			async (count, serverMax, each) => {
				const { fetchPage } = serve(() => items(count), each, serverMax);
				expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toHaveLength(count);
			},
		),
	);
});

test('what is created during the read hides nothing that was there, and comes at most once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 600 }),
			fc.integer({ min: 0, max: 7 }),
			shape,
			async (count, perRequest, each) => {
				const before = items(count);
				let created = 0;
				const list = () => {
					created += perRequest;
					const added = Array.from({ length: created }, (_, index) => ({ id: `new-${index}` }));
					return [...added.reverse(), ...before];
				};
				const { fetchPage } = serve(list, each);
				const ids = (await collectPages(fetchPage, { limit: Infinity, ...fast })).map(
					({ id }) => id,
				);
				const found = new Set(ids);
				expect(found.size).toBe(ids.length);
				expect(before.filter(({ id }) => !found.has(id))).toEqual([]);
			},
		),
	);
});

/** What happens to a list before it answers a request: records appear on top, others leave. */
const change = fc.record({
	created: fc.nat({ max: 2 }),
	removed: fc.array(fc.nat(), { maxLength: 2 }),
});

const GAP = /^(Records disappeared from the list|The API sent only \d+ of the \d+ records)/;

test('with exact totals, records that leave during the read hide no other, or the read fails', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 60 }),
			fc.integer({ min: 5, max: 10 }),
			fc.array(change, { maxLength: 60 }),
			fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Infinity)),
			async (count, serverMax, changes, limit) => {
				const list = changingList(count, changes);
				const { fetchPage, asked } = serve(list.all, 'envelope', serverMax);
				const result = await collectPages(fetchPage, { limit, ...fast }).catch(
					(error: unknown) => error,
				);
				if (result instanceof Error) {
					expect(result.message).toMatch(GAP);
					expect(list.hasLost()).toBe(true);
					expect(asked.length).toBeLessThan(4 * 30);
					return;
				}
				const ids = z.array(z.object({ id: z.string() })).parse(result);
				expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
				const throughout = list.throughout().map(({ id }) => id);
				const found = ids.map(({ id }) => id).filter((id) => throughout.includes(id));
				const isWhole = ids.length < limit;
				expect(found).toEqual(isWhole ? throughout : throughout.slice(0, found.length));
			},
		),
		{ numRuns: 1_000 },
	);
});

test('a list that changes during the first read, and no more during the second, is read in full', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 60 }),
			fc.array(change, { maxLength: 15 }),
			async (count, changes) => {
				const list = changingList(count, changes);
				let [looks, last] = [0, list.all()];
				// The first page is asked for again once the first read has ended.
				const all = () => (looks > 1 ? last : (last = list.all()));
				const { fetchPage } = serve(all, 'envelope', 5);
				const counting = async (page: number, pageSize: number) => {
					if (page === 1) looks++;
					return await fetchPage(page, pageSize);
				};
				const found = await collectPages(counting, { limit: Infinity, ...fast });
				const ids = new Set(found.map(({ id }) => id));
				expect(list.throughout().filter(({ id }) => !ids.has(id))).toEqual([]);
				expect(looks).toBeLessThanOrEqual(3);
			},
		),
		{ numRuns: 1_000 },
	);
});
