import fc from 'fast-check';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { items } from '../support/pages';

// APIs that differ from their description: of each, the list is right, or an error says what to do.

/** What an API says of a page; it may be wrong. */
interface Said {
	number: 'none' | 'right' | 'always 1' | 'from 0';
	totals: 'none' | 'right' | 'pages' | 'items' | 'of the page' | 'of other pages' | 'zero';
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
}

const refused = (status: string) => new UserError('Refused', '', status, { isFromApi: true });

function serveOther(api: Other) {
	const all = items(api.count).map((item, place) => (api.hasIds ? item : { amount: place }));
	const sizeOf = (asked?: number) =>
		asked === undefined && api.sizeNeedsPage
			? Math.min(api.defaultSize, api.largest)
			: Math.min(asked === undefined ? api.defaultSize : 100, api.largest);
	const firstNumber = api.counts === 'pages' || api.counts === 'ignored' ? 1 : 0;
	const say = (number: number, size: number, length: number): Omit<ListPage, 'items'> => {
		const { totals, cap, count } = api;
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
			items: { totalItems },
			'of the page': { totalItems: length, totalPages },
			'of other pages': { totalItems, totalPages: Math.max(1, Math.ceil(totalItems / 100)) },
			zero: { totalItems: 0, totalPages: 1 },
		}[totals];
		return { page, pageSize: totals === 'none' ? undefined : size, isCapped, ...said };
	};
	return {
		all,
		getPage: async (asked?: number): Promise<ListPage> => {
			await Promise.resolve();
			if (api.counts === 'refused' && asked !== undefined) throw refused('400');
			const size = sizeOf(asked);
			let number = api.counts === 'ignored' ? 1 : (asked ?? firstNumber);
			const startOf = () => (api.counts === 'records' ? number : (number - firstNumber) * size);
			if (startOf() >= api.count && startOf() > 0) {
				if (api.beyondEnd === '404' || api.beyondEnd === '400') throw refused(api.beyondEnd);
				if (api.beyondEnd === 'first') number = firstNumber;
				if (api.beyondEnd === 'last')
					number = firstNumber + Math.max(0, Math.ceil(api.count / size) - 1);
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
		'items',
		'of the page',
		'of other pages',
		'zero',
	),
	cap: fc.constantFrom(Infinity, Infinity, 10, 100, 200),
});
const limits = fc.oneof(
	fc.constant(Infinity),
	fc.integer({ min: 1, max: 100 }),
	fc.integer({ min: 1, max: 500 }),
);

/** Differs only in what the description leaves open, or where the list says enough. */
const isClose = ({ counts, number, totals, beyondEnd }: Other) =>
	counts === 'pages' &&
	['none', 'right'].includes(number) &&
	['none', 'right', 'items'].includes(totals) &&
	(['empty', '404'].includes(beyondEnd) || totals === 'right');

test('of any API, what is found is the list, or there is an error; of one that is close to its description, it is the list', async () => {
	await fc.assert(
		fc.asyncProperty(others, limits, fc.boolean(), async (other, limit, isFiltered) => {
			const { all, getPage } = serveOther(other);
			const filters = isFiltered ? [{ passes: () => true }] : [];
			const hints: string[] = [];
			const report = (hint: string) => hints.push(hint);
			const found = await collectPages(getPage, { limit, paged: true, filters, report }).catch(
				(error: unknown) => error,
			);
			// Of an API that ignores the page, and puts more on one than it may, a hint says what is not known.
			if (hints.some((hint) => /the same \d+ records for each page/.test(hint))) return;
			if (isClose(other) && other.cap >= other.count) expect(found).toEqual(all.slice(0, limit));
			else if (!(found instanceof UserError)) expect(found).toEqual(all.slice(0, limit));
		}),
		{ numRuns: Number(process.env.RUNS ?? 3_000) },
	);
});
