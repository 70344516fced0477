import fc from 'fast-check';

import { type ListPage, readListPage } from '../../nodes/CardPlatform/api/list';
import { objectSchema } from '../../nodes/CardPlatform/api/schemas';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { apiOf, useFakeClock } from '../support/execute';
import { fakeApi, refusal } from '../support/fakeApi';
import { everything } from '../support/pages';

// APIs that follow the description, in whatever way it leaves open. A false error is an outage: none of their lists fails.

useFakeClock();

/** What is added before a request: on top, at the end, or in the middle (on top without IDs: operations.md names what then comes twice). */
interface Growth {
	request: number;
	count: number;
	where: 'top' | 'middle' | 'end';
}

interface Conforming {
	count: number;
	/**
	 * Exact; as before the newest record; lower bounds from a number on, or above it; of what was sent up to the page, or
	 * one more if there is more; none.
	 */
	totals: 'exact' | 'behind' | 'cached' | 'at cap' | 'above cap' | 'so far' | 'one more' | 'none';
	cap: number;
	largest: number;
	beyondEnd: 'empty' | 'empty, 0' | '404';
	words: object;
	isArray: boolean;
	hasIds: boolean;
	/** Turns of the event loop before a request is served, one after the other. */
	delays: number[];
	growth: Growth[];
}

function serveConforming(api: Conforming) {
	let created = 0;
	const make = () => {
		const at = new Date(1_790_000_000_000 + created).toISOString();
		return api.hasIds ? { id: `id-${created++}`, createdAt: at } : { amount: created++ };
	};
	const before = Array.from({ length: api.count }, make);
	const list = [...before];
	let requests = 0;
	const grow = () => {
		for (const { request, count, where } of api.growth) {
			if (request !== requests) continue;
			const middle = api.hasIds ? Math.floor(list.length / 2) : 0;
			const place = { top: 0, middle, end: list.length }[where];
			list.splice(place, 0, ...Array.from({ length: count }, make));
		}
		requests++;
	};
	const totalsOf = (page: number, size: number) => {
		const { totals, cap } = api;
		const sent = Math.min(list.length, page * size);
		const count = {
			exact: list.length,
			behind: Math.max(0, list.length - 1),
			cached: before.length,
			'at cap': Math.min(list.length, cap),
			'above cap': Math.min(list.length, cap),
			'so far': sent,
			'one more': sent + (list.length > sent ? 1 : 0),
			none: 0,
		}[totals];
		const capped = new Map<string, boolean>([
			['at cap', list.length >= cap],
			['above cap', list.length > cap],
			['so far', true],
			['one more', sent < list.length],
		]);
		const isCapped = capped.get(totals);
		const totalPages = Math.max(1, Math.ceil(count / size));
		return totals === 'none'
			? {}
			: {
					page,
					pageSize: size,
					totalItemCount: count,
					totalPages,
					...(isCapped !== undefined && { totalItemCountCapped: isCapped }),
				};
	};
	const getPage = async (page?: number): Promise<ListPage> => {
		for (let turn = api.delays[requests % api.delays.length] ?? 0; turn > 0; turn--)
			await Promise.resolve();
		grow();
		const [number, size] = [page ?? 1, api.largest];
		const data = list.slice((number - 1) * size, number * size);
		const isBeyond = number > 1 && data.length === 0;
		if (isBeyond && api.beyondEnd === '404')
			throw new UserError('Not found', '', '404', { isFromApi: true });
		const isZero = isBeyond && api.beyondEnd === 'empty, 0' && api.totals !== 'none';
		const zero = { totalItemCount: 0, totalPages: 1, totalItemCountCapped: false };
		const said = { ...totalsOf(number, size), ...(isZero && zero) };
		const isArray = api.isArray && api.totals === 'none';
		return readListPage(isArray ? data : { ...api.words, data, ...said }) ?? { items: [] };
	};
	return { before, getPage };
}

const words = fc.constantFrom<object>(
	{},
	{ code: 'ok' },
	{ code: '200', message: 'Success' },
	{ code: '00', success: true },
	{ error: null, errors: [], warnings: [] },
	{ remaining: 30 },
	{ rateLimit: { limit: 100, remaining: 99, reset: 1_790_000_000 } },
	{ remainingCredit: '5000.00', nextPaymentDate: '2026-12-01', total: '30.00' },
	{ requestId: 'x', tookMs: 12 },
);

const counts = fc.oneof(
	fc.constantFrom(0, 1, 10, 99, 100, 101, 199, 200, 201, 300),
	fc.nat(320),
	fc.nat(900),
);

const growth = fc.record<Growth>({
	request: fc.nat(12),
	count: fc.integer({ min: 1, max: 3 }),
	where: fc.constantFrom('top', 'top', 'middle', 'end'),
});

const conforming = fc.record<Conforming>({
	count: counts,
	totals: fc.constantFrom(
		'exact',
		'behind',
		'cached',
		'at cap',
		'above cap',
		'so far',
		'one more',
		'none',
	),
	cap: fc.constantFrom(10, 100, 150, 200, 1_000),
	largest: fc.constantFrom(100, 100, 100, 50),
	beyondEnd: fc.constantFrom('empty', 'empty, 0', '404'),
	words,
	isArray: fc.boolean(),
	hasIds: fc.boolean(),
	delays: fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
	growth: fc.array(growth, { maxLength: 4 }),
});

/** At a cap from which on it flags lower bounds, an API may also just stop: the node cannot know. One page alone is taken for the list. */
const mayStopAtCap = ({ totals, cap, count, growth, largest }: Conforming): boolean =>
	totals === 'at cap' &&
	cap > largest &&
	count <= cap &&
	cap <= count + growth.reduce((sum, { count: added }) => sum + added, 0);

/** Tells a record from others. */
const keyOf = (record: unknown) => JSON.stringify(record);

/** A total that is too low by what would be a page of its own: exact totals are believed. */
const lacksAPage = ({ totals }: Conforming): boolean => totals === 'behind' || totals === 'cached';

test('no list fails, whatever its totals, and while it grows; it has what was there all the time, once, in order', async () => {
	await fc.assert(
		fc.asyncProperty(conforming, async (options: Conforming) => {
			fc.pre(!mayStopAtCap(options));
			const { before, getPage } = serveConforming(options);
			const found = await collectPages(getPage, everything);
			const places = new Map(before.map((record, place) => [keyOf(record), place]));
			const kept = found.flatMap((record) => places.get(keyOf(record)) ?? []);
			const isInOrder = kept.every((place, index) => place === index);
			const missing = before.length - kept.length;
			expect({ isInOrder, missing }).toEqual({
				isInOrder: true,
				missing: lacksAPage(options) ? expect.any(Number) : 0,
			});
			const added = options.growth.reduce((sum, { count }) => sum + count, 0);
			expect(missing).toBeLessThanOrEqual(added + 1);
		}),
		{ numRuns: Number(process.env.RUNS ?? 1_000) },
	);
});

const plain = fc.record({
	count: fc.oneof(fc.constantFrom(0, 1, 10, 99, 100, 101, 200), fc.nat(320)),
	words,
	page: fc.constantFrom<'ignored' | '400' | '404'>('ignored', '400', '404'),
});

test('a list without pages (§4.6, §4.9) is what came, with whatever words beside it', async () => {
	await fc.assert(
		fc.asyncProperty(plain, async ({ count, words: said, page }) => {
			const data = Array.from({ length: count }, (_, index) => ({ id: `id-${index}` }));
			const fake = fakeApi(({ query }) =>
				query.page === undefined || page === 'ignored'
					? { body: { ...said, data } }
					: refusal(Number(page)),
			);
			const found = await apiOf(fake).listUnpaginated('/payments', {}, objectSchema);
			expect(found).toEqual(data);
		}),
		{ numRuns: Number(process.env.RUNS ?? 50) },
	);
});
