import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../../api/event';
import { idOf } from '../../api/list';
import { toText } from '../../api/values';
import { pathOf, type Reply, type Survey } from './survey';

/** The rank of a record to a filter: above 0 if it has to come, below 0 if not, 0 at the end of a range. */
type Rank = (record: IDataObject) => number;

type Filter = [sent: [parameter: string, value: string, asked?: string], rank: Rank];

/** Whether records are in an order: 1 for the oldest first, -1 for the newest first. */
export const isSorted = (records: IDataObject[], sign: number): boolean =>
	!records.some((each, index) => sign * (timeOf(each) - timeOf(records[index - 1] ?? {})) < 0);

/** Makes two filters on the time of a record in the middle: from it on, and up to it. */
export function toRange(records: IDataObject[], read: Rank, names: string[], length?: number) {
	const times = records.map(read).filter((time) => !Number.isNaN(time));
	const time = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
	const asked = `the time of ${idOf(records.find((record) => read(record) === time))}`;
	const value = new Date(time).toISOString().slice(0, length);
	return names.map((name, index): Filter => {
		return [[name, value, asked], (record) => (read(record) - time) * (index === 0 ? 1 : -1)];
	});
}

/** Makes a filter on the rarest value of a field. */
function toFilter(records: IDataObject[], field: string): Filter {
	const values = records.map((record) => toText(record[field]) ?? '');
	const countOf = (value: string) => values.filter((each) => each === value).length;
	const [rarest = ''] = [...values].sort((a, b) => countOf(a) - countOf(b));
	return [[field, rarest], (record) => (toText(record[field]) === rarest ? 1 : -1)];
}

/** Asks whether filters find what they should of the records that are known. */
export async function surveyFilters(
	survey: Survey,
	about: string,
	known: IDataObject[],
	filters: Filter[],
	query = {},
): Promise<void> {
	for (const [sent, rank] of filters) {
		const ranked = (sign: number) => known.filter((record) => Math.sign(rank(record)) === sign);
		const [wanted, others, ends] = [ranked(1), ranked(-1), ranked(0)];
		const isTelling = wanted.length > 0 && others.length > 0;
		await survey.tryNames(about, sent, [known, query, isTelling], ({ ids, got }) => {
			const came = (records: IDataObject[]) => records.filter((each) => ids.includes(idOf(each)));
			const [missing, extra] = [wanted.length - came(wanted).length, came(others).length];
			const end = `, its end ${came(ends).length > 0 ? '' : 'not '}included`;
			const counts = `${got}: ${missing} missing, ${extra} too many${ends.length > 0 ? end : ''}`;
			return [missing + extra === 0, counts];
		});
	}
}

/** Asks about pages, filters and order of a list; gives the records of its first page. */
export async function surveyList(survey: Survey, about: string, fields: string[]) {
	const path = pathOf(about);
	let first: Reply | undefined;
	await survey.ask(about, 'Are there totals?', true, async () => {
		first = await survey.get(path);
		const { page, got } = first;
		if (page === undefined) return ['refused', got, 'Ask your provider for this feature.'];
		const { totalItems = 'an unknown number', isCapped } = page;
		const evidence = `${got} of ${isCapped === true ? 'at least ' : ''}${totalItems}`;
		return [page.totalItems !== undefined, evidence];
	});
	if (first?.page === undefined) return [];
	const { records, ids } = first;
	const { totalItems = Infinity, isCapped, pageSize = ids.length } = first.page;
	const getPage = async (number: number, query = {}) =>
		await survey.get(path, { ...query, [survey.nameOf('page')]: String(number) });

	// With three on a page, page 2 begins after 3 records; after 6 if the first page is 0; after 2 if it is an offset.
	const isLong = ids.length > 3;
	let [isSized, start] = [false, 0];
	await survey.tryNames(about, ['pageSize', '3'], [records, {}, isLong], (reply) => {
		isSized = reply.ids.length === 3;
		return [isSized];
	});
	const sized = isSized ? { [survey.nameOf('pageSize')]: '3' } : {};
	const same = isSized ? records.slice(0, 3) : records;
	await survey.tryNames(about, ['page', '2', 'page 2'], [same, sized, isLong], (reply) => {
		start = ids.indexOf(reply.ids[0]);
		return [start < 0 || start > 2, `got records after ${start < 0 ? 'others' : start}`];
	});
	const isPaged = isSized && (start < 0 || start > 2);
	const base = start === 3 ? 1 : 0;
	await survey.ask(about, 'Is the first page 1?', isPaged, () => [base === 1, `it is ${base}`]);
	await survey.ask(about, 'Is a page beyond the end empty?', isPaged, async () => {
		const { status, ids: beyond, got } = await getPage(100_000, sized);
		if (status >= 400) return [false, got, 'Nothing: the node takes it for the end.'];
		return [beyond.length === 0, got];
	});
	// At most five pages, with the one that shows the end.
	const isShort = isPaged && totalItems <= 4 * ids.length && isCapped !== true;
	await survey.ask(about, 'Are the totals exact?', isShort, async () => {
		const seen = new Set(ids);
		for (let before = 0, read = 1; read <= 4 && before < seen.size; read++) {
			before = seen.size;
			for (const id of (await getPage(base + read)).ids) seen.add(id);
		}
		return [seen.size === totalItems, `got ${seen.size} of ${totalItems}`];
	});
	await survey.ask(about, 'May a page have 100 records?', isSized, async () => {
		if (pageSize >= 100) return [true, `pages have ${pageSize}`];
		const { status, page, got } = await survey.get(path, { [survey.nameOf('pageSize')]: '100' });
		if (status >= 400) return ['refused', got, survey.need('pageSize', '', about)];
		return [(page?.pageSize ?? 100) >= 100, `asked for 100, ${got}`];
	});

	const range = toRange(records, timeOf, ['createdAfter', 'createdBefore']);
	const filters = [...fields.map((field) => toFilter(records, field)), ...range];
	await surveyFilters(survey, about, records, filters);

	const [order, sign, other] = isSorted(records, -1)
		? (['asc', 1, 'desc'] as const)
		: (['desc', -1, 'asc'] as const);
	const isTelling = !isSorted(records, sign);
	await survey.tryNames(about, ['sort', order], [records, {}, isTelling], async (reply, name) => {
		if (!isSorted(reply.records, sign)) return [false];
		const { records: back } = await survey.get(path, { [name]: other });
		return [isSorted(back, -sign), `got it, and ${other}, too`];
	});
	return records;
}
