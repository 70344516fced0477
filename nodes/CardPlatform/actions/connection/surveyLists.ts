import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../../api/event';
import { idOf } from '../../api/list';
import { toText } from '../../api/values';
import type { Reply, Survey } from './survey';

/** A value of a parameter; and of a record, above 0 if it has to come, below 0 if not, 0 at the end of a range. */
type Filter = [parameter: string, value: string, rank: (record: IDataObject) => number];

/** Whether records are in an order: 1 for the oldest first, -1 for the newest first. */
export const isSorted = (records: IDataObject[], sign: number): boolean =>
	!records.some((each, index) => sign * (timeOf(each) - timeOf(records[index - 1] ?? {})) < 0);

/** Makes two filters on the time of a record in the middle: from it on, and up to it. */
export function toRange(
	[from, until]: [string, string],
	records: IDataObject[],
	read: Filter[2],
	length?: number,
): Filter[] {
	const times = records.map(read).filter((time) => !Number.isNaN(time));
	const time = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
	const value = new Date(time).toISOString().slice(0, length);
	return [
		[from, value, (record) => read(record) - time],
		[until, value, (record) => time - read(record)],
	];
}

/** Makes a filter on the rarest value of a field. */
function toFilter(records: IDataObject[], field: string): Filter {
	const values = records.map((record) => toText(record[field]) ?? '');
	const countOf = (value: string) => values.filter((each) => each === value).length;
	const [rarest = ''] = [...values].sort((a, b) => countOf(a) - countOf(b));
	return [field, rarest, (record) => (toText(record[field]) === rarest ? 1 : -1)];
}

/** Asks whether filters find what they should of the records that are known. */
export async function surveyFilters(
	survey: Survey,
	about: string,
	known: IDataObject[],
	filters: Filter[],
	query = {},
): Promise<void> {
	for (const [parameter, value, rank] of filters) {
		const ranked = (sign: number) => known.filter((each) => Math.sign(rank(each)) === sign);
		const [wanted, others, ends] = [ranked(1), ranked(-1), ranked(0)];
		const isTelling = wanted.length > 0 && others.length > 0;
		await survey.try(about, [parameter, value], isTelling && query, ({ ids, got }) => {
			const countOf = (some: IDataObject[]) =>
				some.filter((each) => ids.includes(idOf(each))).length;
			const [missing, extra] = [wanted.length - countOf(wanted), countOf(others)];
			const end = `, its end ${countOf(ends) > 0 ? '' : 'not '}included`;
			const counts = `${got}: ${missing} missing, ${extra} too many${ends.length > 0 ? end : ''}`;
			const isIgnored = missing === 0 && extra === others.length;
			return [isIgnored ? 'ignored' : missing + extra === 0, counts];
		});
	}
}

/** Asks about pages, filters and order of a list; gives the records of its first page. */
export async function surveyList(survey: Survey, about: string, ...fields: string[]) {
	const path = about.replace(/.* /, '/');
	let first: Reply | undefined;
	await survey.ask(about, 'Are there totals?', async () => {
		first = await survey.get(path);
		const { page, got } = first;
		if (page === undefined) return ['refused', got, 'Ask your provider for this feature.'];
		const { totalItems: total = 'an unknown number', isCapped } = page;
		const evidence = `${got} of ${isCapped === true ? 'at least ' : ''}${total}`;
		return [page.totalItems !== undefined, evidence, 'Nothing: the node reads to an empty page.'];
	});
	if (first?.page === undefined) return [];
	const { records, ids } = first;
	const { totalItems = Infinity, isCapped, pageSize = ids.length } = first.page;
	const getPage = async (number: number, query = {}) =>
		await survey.get(path, { ...query, [survey.names.page ?? '']: String(number) });

	// With three on a page, page 2 begins after 3 records; after 6 if the first page is 0; after 2 if it is an offset.
	const isLong = ids.length > 3;
	let [isSized, start] = [false, 0];
	await survey.try(about, ['pageSize', '3'], isLong && {}, (reply) => {
		isSized = reply.ids.length === 3;
		return [isSized || (reply.ids.length === ids.length && 'ignored')];
	});
	const three = isSized ? { [survey.names.pageSize ?? '']: '3' } : {};
	await survey.try(about, ['page', '2'], isLong && three, (reply) => {
		start = ids.indexOf(reply.ids[0]);
		const found = start === 0 ? 'ignored' : start < 0 || start > 2;
		return [found, `got records after ${start < 0 ? 'others' : start}`];
	});
	const isPaged = isSized && (start < 0 || start > 2);
	const base = start === 3 ? 1 : 0;
	await survey.ask(about, 'Is the first page 1?', () => {
		return isPaged && [base === 1, `it is ${base}`, 'Nothing: the node counts as the API does.'];
	});
	await survey.ask(about, 'Is a page beyond the end empty?', async () => {
		if (!isPaged) return false;
		const { status, ids: beyond, got } = await getPage(100_000, three);
		if (status >= 400) return [false, got, 'Nothing: the node takes it for the end.'];
		return [beyond.length === 0, got, 'Nothing if there are totals. If not, set a Limit.'];
	});
	await survey.ask(about, 'Are the totals exact?', async () => {
		// At most five pages, with the one that shows the end.
		if (!isPaged || totalItems > 4 * ids.length || isCapped === true) return false;
		const seen = new Set(ids);
		for (let before = 0, read = 1; read <= 4 && before < seen.size; read++) {
			before = seen.size;
			for (const id of (await getPage(base + read)).ids) seen.add(id);
		}
		const evidence = `got ${seen.size} of ${totalItems}`;
		return [seen.size === totalItems, evidence, 'Set a Limit of at most what came.'];
	});
	await survey.ask(about, 'May a page have 100 records?', async () => {
		if (!isSized || pageSize >= 100) return isSized && [true, `pages have ${pageSize}`];
		const { status, page, got } = await survey.get(path, { [survey.names.pageSize ?? '']: '100' });
		if (status >= 400) return ['refused', got, survey.rename('pageSize', '')];
		const isLarge = (page?.pageSize ?? 100) >= 100;
		return [isLarge, `asked for 100, ${got}`, 'Nothing: the node reads more pages.'];
	});
	await surveyFilters(survey, about, records, [
		...fields.map((field) => toFilter(records, field)),
		...toRange(['createdAfter', 'createdBefore'], records, timeOf),
	]);
	const [order, sign] = isSorted(records, -1) ? ['asc', 1] : ['desc', -1];
	const isTelling = !isSorted(records, sign) && {};
	await survey.try(about, ['sort', order], isTelling, async (reply, name) => {
		if (!isSorted(reply.records, sign)) return ['ignored', 'got another order'];
		const back = await survey.get(path, { [name]: sign > 0 ? 'desc' : 'asc' });
		return [isSorted(back.records, -sign), 'got it, and the other one'];
	});
	return records;
}
