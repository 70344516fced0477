import fc from 'fast-check';
import { z } from 'zod';

import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { changingList, everything, items, serve, type Shape } from '../support/pages';

const shape = fc.constantFrom<Shape>('envelope', 'capped', 'bare');

/** The number of the first page. */
const base = fc.constantFrom(0, 1);

test('returns exactly the first items that pass, up to the limit, in order, whatever the shape, the page size and the first number', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 1_500 }),
			fc.oneof(fc.integer({ min: 1, max: 1_600 }), fc.constant(Infinity)),
			fc.oneof(fc.integer({ min: 5, max: 100 }), fc.constant(100)),
			fc.oneof(fc.integer({ min: 2, max: 150 }), fc.constant(1)),
			shape,
			base,
			async (count, limit, serverMax, nth, each, number) => {
				const all = items(count);
				const passes = ({ id }: { id?: unknown }) => Number(String(id).slice(3)) % nth === 0;
				const filters = nth === 1 ? [] : [{ passes }];
				const { fetchPage } = serve(() => all, each, serverMax, number);
				const wanted = all.filter(passes).slice(0, limit);
				const options = { ...everything, limit, filters };
				expect(await collectPages(fetchPage, options)).toEqual(wanted);
			},
		),
		{ numRuns: 300 },
	);
});

test('what is created during the read hides nothing that was there, and comes at most once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 600 }),
			fc.integer({ min: 0, max: 7 }),
			shape,
			base,
			async (count, perRequest, each, number) => {
				const before = items(count);
				let created = 0;
				const list = () => {
					created += perRequest;
					const added = Array.from({ length: created }, (_, index) => ({ id: `new-${index}` }));
					return [...added.reverse(), ...before];
				};
				const { fetchPage } = serve(list, each, 100, number);
				const ids = (await collectPages(fetchPage, everything)).map(({ id }) => id);
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
				const result = await collectPages(fetchPage, { ...everything, limit }).catch(
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
				const counting = async (page = 1, pageSize = 100) => {
					if (page === 1) looks++;
					return await fetchPage(page, pageSize);
				};
				const found = await collectPages(counting, everything);
				const ids = new Set(found.map(({ id }) => id));
				expect(list.throughout().filter(({ id }) => !ids.has(id))).toEqual([]);
				expect(looks).toBeLessThanOrEqual(3);
			},
		),
		{ numRuns: 1_000 },
	);
});
