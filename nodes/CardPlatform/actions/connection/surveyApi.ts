import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { MAX_PAGE_SIZE } from '../../api/assumptions';
import { addDays } from '../../api/dates';
import { timeOf } from '../../api/event';
import { idOf } from '../../api/list';
import { createdIn, dueIn, equals, type RecordFilter } from '../../api/recordFilter';
import { cardPath, objectSchema } from '../../api/schemas';
import { isDataObject, toText } from '../../api/values';
import { isApproval } from '../../events/eventTypes';
import type { Api } from '../../transport/client';
import type { Operation } from '../operation';
import { COLUMNS, type Reply, Survey } from './survey';

/** The format of a time (RFC 3339), with each digit a 0. */
const TIME = /^0000-00-00T00:00:00(\.0+)?(Z|[+-]00:00)$/;

const distinct = (values: unknown[]): string =>
	[...new Set(values.map((value) => toText(value) ?? JSON.stringify(value)))].join(', ');

/** Whether records are in an order: 1 for the oldest first, -1 for the newest first. */
const isSorted = (records: IDataObject[], sign: number): boolean =>
	!records.some((each, index) => sign * (timeOf(each) - timeOf(records[index - 1] ?? {})) < 0);

const isPurchase = ({ status, amountDirection }: IDataObject) =>
	status === 'settled' && amountDirection === 'debit';

/** Asks about fields that records have: their values, to be copied into filters, and their formats. */
async function surveyFields(survey: Survey, topic: string, records: IDataObject[]): Promise<void> {
	const show = async (field: string, question: string, read = toText, assumed = /^/) => {
		const values = records.flatMap((record) => record[field] ?? []);
		const isAssumed = values.every((value) => assumed.test(read(value) ?? ''));
		const evidence = distinct(values.map((value) => read(value) ?? value));
		if (values.length > 0) await survey.ask(`2 ${topic}`, question, () => [isAssumed, evidence]);
	};
	for (const field of ['status', 'type', 'category', 'issues'])
		await show(field, `Which values does ${field} have?`);
	await show('amount', 'Are amounts strings?', (value) => typeof value, /string/);
	await show('id', 'Are IDs strings?', (value) => typeof value, /string/);
	const toFormat = (value: unknown) => toText(value)?.replace(/\d/g, '0');
	await show('createdAt', 'Are times as in RFC 3339?', toFormat, TIME);
}

/** Makes filters on the value in the middle of a list: what is sent, and what should come. A time is the end of a range. */
function toFilters(records: IDataObject[]): Record<string, [value: string, filter: RecordFilter]> {
	const middle = (field: string) => {
		const values = records.map((record) => toText(record[field]) ?? '').filter(Boolean);
		return values.sort()[Math.floor(values.length / 2)] ?? '';
	};
	const [status, cardId, day] = [middle('status'), middle('cardId'), middle('dueDate')];
	const time = timeOf({ createdAt: middle('createdAt') }) || 0;
	const moment = new Date(time).toISOString();
	return {
		status: [status, equals('', 'status', status)],
		cardId: [cardId, equals('', 'cardId', cardId)],
		createdAfter: [moment, createdIn({ from: time + 1_000, to: Infinity })],
		createdBefore: [moment, createdIn({ from: -Infinity, to: time - 1_000 })],
		from: [day, dueIn({ from: addDays(day, 1), to: '2999-01-01' })],
		to: [day, dueIn({ from: '1000-01-01', to: addDays(day, -1) })],
	};
}

async function surveyFilters(survey: Survey, about: string, base: Reply, names: string[]) {
	for (const [name, [value, filter]] of Object.entries(toFilters(base.items))) {
		if (!names.includes(name)) continue;
		const { passes, isRequested = passes } = filter;
		const wanted = base.items.filter((each) => passes(each) === true);
		const others = base.items.filter((each) => isRequested(each) !== true);
		const isTelling = wanted.length > 0 && others.length > 0;
		await survey.tryOut(about, [name, value], isTelling ? base : undefined, (reply) => {
			const ids = new Set(reply.ids);
			const missing = wanted.filter((each) => !ids.has(idOf(each))).length;
			const right = reply.items.filter((each) => isRequested(each) === true);
			const extra = reply.items.length - right.length;
			const hasEnd = right.some((each) => passes(each) !== true);
			const end = filter.isRequested ? `, that date ${hasEnd ? '' : 'not '}included` : '';
			return [missing + extra === 0, `${reply.got}: ${missing} missing, ${extra} too many${end}`];
		});
	}
}

/** Asks about pages, filters and order of a list; gives the records of its first page. */
async function surveyList(survey: Survey, about: string, ...filters: string[]) {
	const path = about.replace(/.* /, '/');
	let first: Reply | undefined;
	await survey.ask(about, 'Is there a total?', async () => {
		first = await survey.get(path);
		const { totalItems, isCapped, got } = first;
		const total = `${isCapped === true ? 'at least ' : ''}${totalItems ?? 'an unknown number'}`;
		const hint = 'Nothing. The node reads on until a page is empty.';
		return [totalItems !== undefined, `${got} of ${total}`, hint];
	});
	if (first === undefined) return [];
	const { items, ids, totalItems = 0, isCapped } = first;

	// With three on a page, page 2 begins after 3 records; after 6 if the first page is 0; after 2 if it is an offset.
	const long = ids.length > 3 ? first : undefined;
	let [sized, sizeName, start] = [long, '', 0];
	await survey.tryOut(about, ['pageSize', '3'], long, async (reply, name) => {
		if (reply.ids.length !== 3) return [false];
		[sized, sizeName] = [reply, name];
		const most = { ...reply.query, [name]: String(MAX_PAGE_SIZE) };
		const large = await survey.get(path, most, '400 422');
		return [!large.isRefused, `${reply.got}; asked for ${MAX_PAGE_SIZE}, ${large.got}`];
	});
	await survey.tryOut(about, ['page', '2'], sized, (reply) => {
		start = ids.indexOf(reply.ids[0]);
		const after = `got the records after the first ${start}`;
		return [start < 0 || start === 3, start < 0 ? reply.got : after];
	});
	await survey.ask(about, 'Does the list end with its total?', async () => {
		if (sizeName === '' || start !== 3) return undefined;
		// A lower bound ends nothing; without a total, there is an end somewhere.
		const isLowerBound = totalItems > 0 && isCapped === true;
		const number = totalItems > 0 ? totalItems : 100_000;
		const getRecord = async (record: number) => {
			const query = { [survey.names.page ?? '']: String(record), [sizeName]: '1' };
			return await survey.get(path, query, '400 404 422');
		};
		const [last, next] = [await getRecord(number), await getRecord(number + 1)];
		const isOver = next.ids.length === 0 || (totalItems > 0 && next.ids[0] === last.ids[0]);
		const evidence = `asked for record ${number}, ${last.got}; for the next one, ${next.got}`;
		const isRight = isOver !== isLowerBound && (totalItems === 0 || last.ids.length > 0);
		return [
			isRight,
			evidence,
			'Filter by shorter periods, so that each list stays below its total.',
		];
	});
	await surveyFilters(survey, about, first, [...filters, 'createdAfter', 'createdBefore']);
	const [order, sign] = isSorted(items, -1) ? ['asc', 1] : ['desc', -1];
	const mixed = isSorted(items, sign) ? undefined : first;
	await survey.tryOut(about, ['sort', order], mixed, (reply) => [isSorted(reply.items, sign)]);
	await surveyFields(survey, path.slice(1), items);
	return items;
}

/** Asks about cards, and what the API says to what it does not know. */
async function surveyCards(survey: Survey, api: Api): Promise<void> {
	const cards = await surveyList(survey, '4.3 cards', 'status');
	if (cards.length === 0) return;
	await survey.ask('7 cards', 'Is an unknown card a 404?', async () => {
		const unknown = cardPath('00000000-0000-4000-8000-000000000000');
		const { got } = await survey.get(unknown, {}, '400 404 422');
		return [got === 'got 404', `asked for a card that does not exist, ${got}`];
	});
	await survey.ask('2 cards', 'Which types do limits have?', async () => {
		const types: unknown[] = [];
		for (const card of cards.slice(0, 3)) {
			const { limit } = await api.get(cardPath(idOf(card) ?? ''), objectSchema);
			if (isDataObject(limit)) types.push(limit.type);
		}
		return types.length > 0 ? [true, distinct(types)] : undefined;
	});
}

async function surveyPayments(survey: Survey, { keyScope, accountId = '' }: Api['config']) {
	const about = '4.9 payments';
	const today = new Date().toISOString().slice(0, 10);
	// Of the past: an API may refuse a later day.
	const range = { from: addDays(today, -362), to: addDays(today, -2) };
	let reply: Reply | undefined;
	await survey.ask('5 access', 'Does the key fit Key Scope?', async () => {
		reply = await survey.get('/payments', range, '400 422');
		const isFitting = (keyScope === 'customer') === reply.isRefused;
		const evidence = `asked for payments without an account, ${reply.got}`;
		const hint = reply.isRefused
			? 'If the key covers several accounts, set Key Scope in the credential to Customer.'
			: 'If the key covers one account, set Key Scope in the credential to Account.';
		return [isFitting, evidence, hint];
	});
	if (reply?.isRefused)
		await survey.tryOut(about, ['accountId', accountId], reply, (named) => {
			reply = named;
			return [true];
		});
	if (reply === undefined || reply.isRefused) return;
	await surveyFields(survey, 'payments', reply.items);
	await surveyFilters(survey, about, reply, ['from', 'to']);
}

/** Asks about transactions, and about the events of the card of one of them: a settled purchase, if there is one. */
async function surveyTransactions(survey: Survey): Promise<void> {
	const transactions = await surveyList(survey, '4.8 transactions', 'cardId', 'status');
	const purchase = transactions.find(isPurchase) ?? transactions[0];
	const cardId = toText(purchase?.cardId);
	if (purchase === undefined || cardId === undefined) return;
	let events: IDataObject[] = [];
	await survey.ask('4.6 events', 'Do the newest events come first?', async () => {
		const reply = await survey.get(`${cardPath(cardId)}/financial-events`);
		events = reply.items;
		return [isSorted(events, -1), `asked for those of one card, ${reply.got}`];
	});
	if (events.length === 0) return;
	await surveyFields(survey, 'events', events);
	await survey.ask('6 events', 'Do events match their transaction?', () => {
		const own = events.filter(({ transactionId }) => transactionId === purchase.id);
		const isSame = own.every((event) => timeOf(event) === timeOf(purchase));
		const approvals = own.filter(isApproval).length;
		const evidence = `${own.length} of transaction ${idOf(purchase)}, ${isSame ? 'all' : 'not all'} at its time; approved: ${approvals}`;
		return [own.length > 0 && isSame && (approvals > 0 || !isPurchase(purchase)), evidence];
	});
}

/** Asks the API about what its description leaves open. Sends only GETs, one at a time. */
export const surveyApi: Operation = {
	value: 'testApi',
	name: 'Test API',
	action: 'Test API for differences',
	description: 'Find out how this API differs, and what to set',
	effect: 'read',
	returns: z.object(Object.fromEntries(COLUMNS.map((name) => [name, z.string()]))),
	fields: [],
	async run(api, { index }) {
		// What is found out is the same for each item.
		if (index > 0) return [];
		// If this fails, so would all else.
		const { headers = {} } = await api.getRaw('/health');
		const survey = new Survey(api);
		await survey.ask('6 access', 'Do the clocks agree?', () => {
			const limits = Object.entries(headers).filter(([name]) => /rate-?limit/i.test(name));
			const ahead = Math.round((Date.parse(toText(headers.date) ?? '') - Date.now()) / 1000);
			// A policy may name the key.
			const named = api.config.redact(distinct(limits)) || 'not named';
			const evidence = `the API's is ${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead'}; rate limit: ${named}`;
			const hint = 'Correct the clock, or raise Max Time Difference in the trigger.';
			return Number.isNaN(ahead) ? undefined : [Math.abs(ahead) < 60, evidence, hint];
		});
		await surveyCards(survey, api);
		await surveyTransactions(survey);
		await surveyPayments(survey, api.config);
		await surveyList(survey, '4.11 settlements', 'cardId');
		const { items, summary } = survey.finish();
		api.report(summary);
		return items;
	},
};
