import fc from 'fast-check';

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

/** What happens to a list before it answers a request: records appear on top, others leave. */
const change = fc.record({
	created: fc.nat({ max: 2 }),
	removed: fc.array(fc.nat(), { maxLength: 2 }),
});

test('once the list stops changing, it is read in full', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 60 }),
			fc.array(change, { maxLength: 4 }),
			async (count, changes) => {
				const list = changingList(count, changes);
				const { fetchPage } = serve(list.all, 'envelope', 5);
				const found = await collectPages(fetchPage, { limit: Infinity, ...fast });
				expect(found).toEqual(expect.arrayContaining(list.throughout()));
			},
		),
	);
});
