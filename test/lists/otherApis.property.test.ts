import fc from 'fast-check';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { items } from '../support/pages';

// APIs that differ from their description: of each, the list is right, or an error says what to do.

/** What an API says of a page; it may be wrong. */
interface Said {
	number: 'none' | 'right' | 'always 1' | 'from 0';
	totals:
		'none' | 'right' | 'pages' | 'one page' | 'items' | 'of the page' | 'of other pages' | 'zero';
	cap: number;
}

interface Other extends Said {
	count: number;
	/** What the page parameter counts; `ignored`: each page is the first one. */
	counts: 'pages' | 'pages from 0' | 'records' | 'ignored' | 'refused';
	/** Records on a page without a page size, with one, and with one but without a page. */
	defaultSize: number;
	largest: number;
	sizeNeedsPage: boolean;
	beyondEnd: 'empty' | '404' | '400' | 'last' | 'first';
	hasIds: boolean;
	/** What the list does while it is read. */
	change: 'none' | 'grows' | 'shrinks';
	/** Where, before the requests with these numbers; modulo the length of the list. */
	places: Map<number, number>;
}

const refused = (status: string) => new UserError('Refused', '', status, { isFromApi: true });

function serveOther(api: Other) {
	const before = items(api.count).map((item, place) => (api.hasIds ? item : { amount: place }));
	const all: object[] = [...before];
	let requests = 0;
	const change = () => {
		const number = requests++;
		const place = api.places.get(number);
		if (api.change === 'none' || place === undefined) return;
		const added = api.hasIds ? { id: `new-${number}` } : { amount: -1 - number };
		// Without IDs, what is added elsewhere may not be told from what moved.
		const at = api.hasIds ? place % (all.length + 1) : 0;
		if (api.change === 'grows') all.splice(at, 0, added);
		else all.splice(place % Math.max(1, all.length), 1);
	};
	const sizeOf = (asked?: number) =>
		asked === undefined && api.sizeNeedsPage
			? Math.min(api.defaultSize, api.largest)
			: Math.min(asked === undefined ? api.defaultSize : 100, api.largest);
	const firstNumber = api.counts === 'pages' || api.counts === 'ignored' ? 1 : 0;
	const say = (number: number, size: number, length: number): Omit<ListPage, 'items'> => {
		const { totals, cap } = api;
		const count = all.length;
		const isCapped = cap < count;
		const totalItems = Math.min(cap, count);
		const totalPages = Math.max(1, Math.ceil(totalItems / size));
		const page = {
			none: undefined,
			right: number,
			'always 1': 1,
			'from 0': number - 1,
		}[api.number];
		const said = {
			none: {},
			right: { totalItems, totalPages },
			pages: { totalPages },
			'one page': { totalPages: 1 },
			items: { totalItems },
			'of the page': { totalItems: length, totalPages },
			'of other pages': { totalItems, totalPages: Math.max(1, Math.ceil(totalItems / 100)) },
			zero: { totalItems: 0, totalPages: 1 },
		}[totals];
		return { page, pageSize: totals === 'none' ? undefined : size, isCapped, ...said };
	};
	return {
		/** What was there all the time. */
		throughout: () => before.filter((record) => all.includes(record)),
		getPage: async (asked?: number): Promise<ListPage> => {
			await Promise.resolve();
			change();
			if (api.counts === 'refused' && asked !== undefined) throw refused('400');
			const size = sizeOf(asked);
			let number = api.counts === 'ignored' ? 1 : (asked ?? firstNumber);
			const startOf = () => (api.counts === 'records' ? number : (number - firstNumber) * size);
			if (startOf() >= all.length && startOf() > 0) {
				if (api.beyondEnd === '404' || api.beyondEnd === '400') throw refused(api.beyondEnd);
				if (api.beyondEnd === 'first') number = firstNumber;
				if (api.beyondEnd === 'last')
					number = firstNumber + Math.max(0, Math.ceil(all.length / size) - 1);
			}
			const page = all.slice(startOf(), startOf() + size);
			return { items: page, ...say(number, size, page.length) };
		},
	};
}

const size = fc.constantFrom(7, 20, 50, 100, 250, 1_000);
const others = fc.record<Other>({
	count: fc.oneof(fc.nat(30), fc.nat(450), fc.constantFrom(20, 50, 100, 200, 250, 300)),
	counts: fc.constantFrom('pages', 'pages', 'pages from 0', 'records', 'ignored', 'refused'),
	defaultSize: size,
	largest: size,
	sizeNeedsPage: fc.boolean(),
	beyondEnd: fc.constantFrom('empty', '404', '400', 'last', 'first'),
	hasIds: fc.boolean(),
	number: fc.constantFrom('none', 'right', 'always 1', 'from 0'),
	totals: fc.constantFrom(
		'none',
		'right',
		'pages',
		'one page',
		'items',
		'of the page',
		'of other pages',
		'zero',
	),
	cap: fc.constantFrom(Infinity, Infinity, 10, 100, 200),
	change: fc.constantFrom('none', 'none', 'grows', 'shrinks'),
	places: fc
		.array(fc.tuple(fc.nat(8), fc.oneof(fc.constant(0), fc.nat(500))), { maxLength: 3 })
		.map((places) => new Map(places)),
});
const limits = fc.oneof(
	fc.constant(Infinity),
	fc.integer({ min: 1, max: 100 }),
	fc.integer({ min: 1, max: 500 }),
);

/** Differs only in what the description leaves open, or where the list says enough. */
const isClose = ({ counts, number, totals, beyondEnd, cap, change }: Other) =>
	counts === 'pages' &&
	cap === Infinity &&
	change !== 'shrinks' &&
	['none', 'right'].includes(number) &&
	['none', 'right', 'items'].includes(totals) &&
	(['empty', '404'].includes(beyondEnd) || totals === 'right');

/**
 * A removal that no total shows hides a record (operations.md). Without IDs, a page that moved and is sent again is like
 * another one. An API that counts records looks like one that counts pages, if one is added just between the first two
 * requests of the second read.
 */
const isHidden = ({ change, totals, cap, counts, hasIds, beyondEnd, places }: Other) =>
	(change === 'shrinks' && (totals !== 'right' || cap < Infinity)) ||
	(change === 'grows' && counts === 'records' && places.has(3)) ||
	(change === 'grows' &&
		!hasIds &&
		(counts === 'ignored' || beyondEnd === 'first' || beyondEnd === 'last'));

test('of any API, what is found is the list, or there is an error; of one that is close to its description, it is the list', async () => {
	await fc.assert(
		fc.asyncProperty(others, limits, fc.boolean(), async (other: Other, limit, isFiltered) => {
			fc.pre(!isHidden(other));
			const { throughout, getPage } = serveOther(other);
			const filters = isFiltered ? [{ passes: () => true }] : [];
			const hints: string[] = [];
			const report = (hint: string) => hints.push(hint);
			const found = await collectPages(getPage, { limit, paged: true, filters, report }).catch(
				(error: unknown) => error,
			);
			if (isClose(other)) expect(found).not.toBeInstanceOf(Error);
			// Of an API that ignores the page, and puts more on one than it may, a hint says what is not known.
			if (hints.some((hint) => /the same \d+ records for each page/.test(hint))) return;
			if (found instanceof UserError) return;
			if (!Array.isArray(found)) throw found;
			const all: unknown[] = throughout();
			const kept = found.filter((record) => all.includes(record));
			expect(kept).toEqual(found.length < limit ? all : all.slice(0, kept.length));
			expect(found.length).toBeLessThanOrEqual(limit);
			expect(new Set(found).size).toBe(found.length);
		}),
		{ numRuns: Number(process.env.RUNS ?? 3_000) },
	);
});
