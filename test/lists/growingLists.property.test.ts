import fc from 'fast-check';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { changingList, everything, items, serve, type Shape } from '../support/pages';

/**
 * The shapes that a list may come in. Besides those of the other tests: pages that say their size but
 * no total, and totals that are exact until the list is too long to be counted.
 */
type Totals = Shape | 'sized';

/** What happens to the list between two requests. Positions count modulo the length of the list. */
interface Change {
	/** Records created on top. */
	created?: number;
	/** Records added at the end. */
	appended?: number;
	/** Where late records are put. */
	inserted?: number[];
	removed?: number[];
}

interface Moment extends Change {
	/** Requests served since the moment before. */
	gap: number;
}

interface Simulation {
	before: object[];
	/** Records that the server puts on a page at most. */
	serverMax: number;
	totals: Totals;
	/** The number of the first page. */
	base?: number;
	/** Which of the open requests goes on next, turn by turn, modulo their number. */
	order: number[];
	moments: Moment[];
}

const COUNTED_AT_MOST = 45;

function totalsOf(totals: Totals, count: number, size: number): Omit<ListPage, 'items' | 'page'> {
	if (totals === 'bare') return {};
	if (totals === 'sized') return { pageSize: size };
	const isCapped = totals === 'capped' && count > COUNTED_AT_MOST;
	const totalItems = isCapped ? Math.min(count, COUNTED_AT_MOST) : count;
	const totalPages = Math.max(1, Math.ceil(totalItems / size));
	return { pageSize: size, totalItems, totalPages, isCapped };
}

/** A request that has not been answered. */
interface Open {
	page: number;
	size: number;
	/** What it will be answered with; undefined until it is served. */
	answer?: ListPage<object>;
	resolve: (page: ListPage<object>) => void;
}

/** An API that serves requests in any order, and whose answers arrive in any order. */
function simulate({ before, serverMax, totals, base = 1, order, moments }: Simulation) {
	const places = new Map(before.map((record, place) => [record, place]));
	const removed = new Set<object>();
	const changes = new Map<number, Change>();
	let at = 0;
	for (const { gap, ...change } of moments) changes.set((at += gap), change);

	let list = before;
	let added = 0;
	const add = (position: number, count: number) => {
		const records = Array.from({ length: count }, () => ({ id: `new-${added++}` }));
		for (const record of records) places.set(record, places.size);
		list = [...list.slice(0, position), ...records, ...list.slice(position)];
	};
	const apply = ({ created = 0, appended = 0, inserted = [], removed: leaving = [] }: Change) => {
		const left = leaving.map((position) => list[position % Math.max(1, list.length)]);
		for (const record of left) if (record !== undefined) removed.add(record);
		if (left.length > 0) list = list.filter((record) => !removed.has(record));
		for (const position of inserted) add(position % Math.max(1, list.length), 1);
		if (appended > 0) add(list.length, appended);
		if (created > 0) add(0, created);
	};

	const served: { page: number; size: number; added: number }[] = [];
	const serve = ({ page, size }: Open): ListPage<object> => {
		apply(changes.get(served.length) ?? {});
		served.push({ page, size, added });
		const pageItems = list.slice((page - base) * size, (page - base + 1) * size);
		const number = totals === 'bare' ? {} : { page };
		return { items: pageItems, ...number, ...totalsOf(totals, list.length, size) };
	};

	const open: Open[] = [];
	let turns = 0;
	const turn = () => {
		const index = (order[turns++ % order.length] ?? 0) % open.length;
		const request = open[index];
		if (request === undefined) return;
		if (request.answer === undefined) {
			request.answer = serve(request);
		} else {
			open.splice(index, 1);
			request.resolve(request.answer);
		}
		// What the answer leads to comes first, so that new requests can overtake older ones.
		if (open.length > 0) setImmediate(turn);
	};
	const fetchPage = async (page = base, pageSize = 100): Promise<ListPage<object>> =>
		await new Promise((resolve) => {
			if (open.push({ page, size: Math.min(pageSize, serverMax), resolve }) === 1) {
				setImmediate(turn);
			}
		});

	return {
		fetchPage,
		requests: () => served.length,
		/** Counts the records, in the list's order for those that were there from the start. */
		placeOf: (record: object) => places.get(record) ?? Number.NaN,
		countsFromOne: base === 1,
		/** The places of the records that were there all the time. */
		throughout: () => before.flatMap((record, place) => (removed.has(record) ? [] : [place])),
		hasGrown: () => added > 0,
		hasLost: () => removed.size > 0,
		/**
		 * True where additions had pushed a page onto a later one when that was served: this cannot be
		 * told from an API that ignores the page parameter, or counts from another number.
		 */
		hadBurst: () => {
			// What was added when a page was first read; a read that begins anew begins with page 1, twice.
			const earliest = new Map<number, number>();
			return served.some(({ page, size, added: now }, index) => {
				const before = served[index - 1];
				if (page === 1 && before?.page === 1) earliest.clear();
				const isMoved = page === 1 && before?.page === 1 && now - before.added >= size;
				const isPushed = [...earliest].some(
					([earlier, then]) => earlier < page && now - then >= (page - earlier) * size,
				);
				if (!earliest.has(page)) earliest.set(page, now);
				return isMoved || isPushed;
			});
		},
	};
}

interface Wanted {
	limit: number;
	matches?: ((place: number) => boolean) | undefined;
}

/** Reads the list: gives the places of the records found, or the error. */
async function collect(
	api: ReturnType<typeof simulate>,
	{ limit, matches }: Wanted,
): Promise<number[] | UserError> {
	const passes = (record: object) => matches?.(api.placeOf(record)) !== false;
	const filters = matches && [{ label: 'Place', field: 'id', passes }];
	try {
		const options = { ...everything, limit, filters };
		return (await collectPages(api.fetchPage, options)).map(api.placeOf);
	} catch (error) {
		// Anything else, such as an overflow of the stack, is a failure of the read itself.
		if (error instanceof UserError) return error;
		throw error;
	}
}

/** As collect(); undefined where the read failed because of a burst, or as pages are counted from 0. */
async function collectUnlessBurst(
	api: ReturnType<typeof simulate>,
	wanted: Wanted,
): Promise<number[] | undefined> {
	const found = await collect(api, wanted);
	if (found instanceof UserError) {
		// A list may grow until it has one record more than the API counts.
		const isAtCap = found.message.includes('where the API stops counting');
		const isExpected = !api.countsFromOne || api.hadBurst() || isAtCap;
		expect({ error: found.message, isExpected }).toEqual({
			error: found.message,
			isExpected: true,
		});
		return undefined;
	}
	return found;
}

/** Expects the records that were there all the time, from the first on, up to the limit. */
function expectNoHole(
	found: number[],
	api: ReturnType<typeof simulate>,
	{ limit, matches = () => true }: Wanted,
) {
	const throughout = api.throughout().filter(matches);
	const isThroughout = new Set(throughout);
	const kept = [...new Set(found)].filter((place) => isThroughout.has(place));
	expect(found.length).toBeLessThanOrEqual(limit);
	expect(kept).toEqual(found.length < limit ? throughout : throughout.slice(0, kept.length));
	expect(found.filter((place) => !matches(place))).toEqual([]);
}

const expectNoneTwice = (found: number[]) => expect(new Set(found).size).toBe(found.length);

/** Many pages of few records, or pages of the usual size. */
const sizes = fc
	.oneof(
		{
			weight: 3,
			arbitrary: fc.tuple(fc.integer({ min: 5, max: 8 }), fc.oneof(fc.nat(12), fc.nat(80))),
		},
		{ weight: 1, arbitrary: fc.tuple(fc.constant(25), fc.nat(40)) },
		{ weight: 1, arbitrary: fc.tuple(fc.constant(100), fc.nat(30)) },
	)
	.chain(([serverMax, pages]) =>
		fc.nat(serverMax - 1).map((rest) => ({ serverMax, count: pages * serverMax + rest })),
	);

const anyTotals = fc.constantFrom<Totals>('envelope', 'capped', 'bare', 'sized');

/** In order, the last first, or any. */
const anyOrder = fc.oneof(
	{ weight: 1, arbitrary: fc.constantFrom<number[]>([0], [39]) },
	{ weight: 4, arbitrary: fc.array(fc.nat(39), { minLength: 1, maxLength: 60 }) },
);

const gaps = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 }));

const few = fc.integer({ min: 1, max: 3 });

/** Sometimes more than a page of them comes at once. */
const created = fc.oneof({ weight: 30, arbitrary: few }, fc.integer({ min: 5, max: 250 }));
const creations = fc.array(fc.record({ gap: gaps, created }), { maxLength: 12 });

/** Up to a page, some pages, or more than there are records. */
const limits = fc.oneof(
	fc.integer({ min: 1, max: 99 }),
	fc.integer({ min: 101, max: 300 }),
	fc.integer({ min: 1, max: 3_200 }),
);
const anyLimit = fc.oneof(limits, fc.constant(Infinity));

const everyNth = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 20 }));

const growing = {
	sizes,
	totals: anyTotals,
	base: fc.constantFrom(0, 1),
	order: anyOrder,
	moments: creations,
};

test('records are created on top, and requests are served in any order: the first that match are found, without a hole, in order and once', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(growing), anyLimit, everyNth, async (list, limit, nth) => {
			const { sizes: size, ...more } = list;
			const api = simulate({ before: items(size.count), serverMax: size.serverMax, ...more });
			const matches = nth === 1 ? undefined : (place: number) => place % nth === 0;
			const found = await collectUnlessBurst(api, { limit, matches });
			if (found === undefined) return;
			expectNoHole(found, api, { limit, matches });
			expectNoneTwice(found);
		}),
		{ numRuns: Number(process.env.RUNS ?? 2_000) },
	);
});

/** So that often one page is served before a change, and all others after it. */
const shortLists = fc.record({
	serverMax: fc.constant(10),
	count: fc.integer({ min: 21, max: 45 }),
});

/** Often near the top, where the first page shows nothing but that a record left. */
const positions = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.nat()), { maxLength: 2 });

const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, few);

/**
 * The total cannot show that one record disappears and another is added after it between the same two
 * requests. So at a moment when records disappear, others are created on top only, before all of them.
 */
const mixed = fc.array(
	fc.oneof(
		fc.record({ gap: gaps, created: rarely, removed: positions }),
		fc.record({ gap: gaps, created: rarely, appended: rarely, inserted: positions }),
	),
	{ maxLength: 5 },
);

/** One record is added and another disappears soon after, so that the total is the same again. */
const swapped = fc
	.record({ gap: gaps, soon: few, appended: fc.nat(1), place: fc.nat(), left: fc.nat(9) })
	.map(({ gap, soon, appended, place, left }) => [
		{ gap, appended, inserted: appended === 1 ? [] : [place] },
		{ gap: soon, removed: [left] },
	]);

test('with exact totals, whatever leaves or is added anywhere: nothing is lost, or the read fails', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				...growing,
				sizes: fc.oneof({ weight: 3, arbitrary: shortLists }, { weight: 1, arbitrary: sizes }),
				moments: fc.oneof<fc.Arbitrary<Moment[]>[]>(mixed, swapped),
			}),
			fc.oneof(limits, fc.constant(Infinity), fc.constant(Infinity)),
			async ({ sizes: { count, serverMax }, order, moments }, limit) => {
				const before = items(count);
				const api = simulate({ before, serverMax, totals: 'envelope', order, moments });
				const found = await collect(api, { limit });
				if (found instanceof UserError) {
					expect(api.hasLost() || api.hadBurst()).toBe(true);
					return;
				}
				expectNoHole(found, api, { limit });
				expectNoneTwice(found);
			},
		),
		{ numRuns: Number(process.env.RUNS ?? 1_000) },
	);
});

/** What happens to a list before it answers a request. */
const change = fc.record({
	created: fc.nat({ max: 2 }),
	removed: fc.array(fc.nat(), { maxLength: 2 }),
});

test('a list that changes during the first read, and no more during the second, is read in full', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(60), fc.array(change, { maxLength: 15 }), async (count, changes) => {
			const list = changingList(count, changes);
			let [reads, last] = [0, list.all()];
			const all = () => (reads > 1 ? last : (last = list.all()));
			const { fetchPage } = serve(all, 'envelope', 5);
			const counting = async (page?: number) => {
				if (page === undefined) reads++;
				return await fetchPage(page);
			};
			const found = await collectPages(counting, everything);
			const ids = new Set(found.map(({ id }) => id));
			expect(list.throughout().filter(({ id }) => !ids.has(id))).toEqual([]);
			expect(reads).toBeLessThanOrEqual(2);
		}),
		{ numRuns: Number(process.env.RUNS ?? 1_000) },
	);
});

describe('records that an id does not tell apart', () => {
	const smallCreations = fc.array(fc.record({ gap: gaps, created: few }), { maxLength: 4 });
	const list = fc.record({ ...growing, moments: smallCreations });

	/** Tells which records have an id, by their place and the records on a page. */
	const withIds = fc.constantFrom<(place: number, serverMax: number) => boolean>(
		() => false,
		(place) => place % 3 > 0,
		(place) => place % 7 === 0,
		(place, serverMax) => place < serverMax,
		(place, serverMax) => place >= serverMax,
	);

	test('without an id: none is missing, and none comes twice', async () => {
		await fc.assert(
			fc.asyncProperty(list, withIds, anyLimit, async ({ sizes: size, ...more }, hasId, limit) => {
				const { count, serverMax } = size;
				const before = items(count).map((item, place) =>
					hasId(place, serverMax) ? item : { amount: place },
				);
				const api = simulate({ before, serverMax, ...more });
				const found = await collectUnlessBurst(api, { limit });
				if (found === undefined) return;
				expectNoHole(found, api, { limit });
				// Then a page does not begin with the end of the one before.
				if (!api.hadBurst()) expectNoneTwice(found);
			}),
			{ numRuns: Number(process.env.RUNS ?? 1_000) },
		);
	});
});

test.each<[Totals, string, number]>([
	['envelope', 'in order', 0],
	// So that records are missed and have to be added; an exact total alone would show that.
	['capped', 'the last first', 31],
])(
	'a list of 150,000 records that grows during the read is read in full: %s, served %s',
	async (totals, _order, next) => {
		const moments = [{ gap: 1_450, created: 1 }];
		const before = items(150_000);
		const api = simulate({ before, serverMax: 100, totals, order: [next], moments });
		const found = await collect(api, { limit: Infinity });
		if (found instanceof UserError) throw found;
		expect(api.hasGrown()).toBe(true);
		expectNoHole(found, api, { limit: Infinity });
		expectNoneTwice(found);
	},
);

// An added record and one that left keep the total; only the order in which pages were served hid another.
test('a record is added elsewhere and another leaves: the list is read again', async () => {
	const moments = [
		{ gap: 1, inserted: [742_407_625] },
		{ gap: 5, created: 1, removed: [2_010_553_096] },
	];
	const before = items(600);
	const api = simulate({ before, serverMax: 25, totals: 'envelope', order: [1, 0], moments });
	const found = await collect(api, { limit: Infinity });
	if (found instanceof UserError) throw found;
	expectNoHole(found, api, { limit: Infinity });
});
