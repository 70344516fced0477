import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { ApiConfig } from '../../api/config';
import { addDays } from '../../api/dates';
import { timeOf } from '../../api/event';
import { isDataObject } from '../../api/json';
import { idOf } from '../../api/list';
import { toText } from '../../api/values';
import { isApproval } from '../../events/eventTypes';
import type { Operation } from '../operation';
import { Survey } from './survey';
import { isSorted, surveyFilters, surveyList, toRange } from './surveyLists';

const UNKNOWN_CARD = '/cards/00000000-0000-4000-8000-000000000000';
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Shows the different values of fields, to be copied into filters. */
const distinct = (values: unknown[]): string =>
	[...new Set(values.map((value) => toText(value) ?? JSON.stringify(value)))].join(', ');

async function surveyAccess(survey: Survey): Promise<void> {
	await survey.ask('6 access', 'Do the clocks agree?', true, async () => {
		const { headers } = await survey.get('/health');
		const limits = Object.entries(headers).filter(([name]) => /rate-?limit/i.test(name));
		const ahead = Math.round((Date.parse(toText(headers.date) ?? '') - Date.now()) / 1000);
		const evidence = `that of the API is ${ahead} s ahead; rate limit: ${distinct(limits) || 'not named'}`;
		return Number.isNaN(ahead) ? ['no data', 'no Date'] : [Math.abs(ahead) < 60, evidence];
	});
	await survey.ask('7 access', 'Is an unknown card a 404?', true, async () => {
		const { status, got } = await survey.get(UNKNOWN_CARD);
		return [status === 404, got];
	});
	await survey.ask('4.3 cards', 'Are unknown parameters ignored?', true, async () => {
		const { status, got } = await survey.get('/cards', { unknownParameter: '1' });
		return [status < 400 || 'refused', got];
	});
}

async function surveyPayments(survey: Survey, { keyScope, accountId = '' }: ApiConfig) {
	const about = '4.9 payments';
	const today = new Date().toISOString().slice(0, 10);
	const range = { from: addDays(today, -180), to: addDays(today, 180) };
	let [scope, known]: [string, IDataObject[]] = [keyScope, []];
	await survey.ask('5 access', 'Does the key fit Key Scope?', true, async () => {
		const { status, records, got } = await survey.get('/payments', range);
		[scope, known] = [status < 400 ? 'account' : 'customer', records];
		return [scope === keyScope, `asked for payments without an account, ${got}`];
	});
	const isNamed = scope === 'customer' && accountId !== '';
	await survey.tryNames(about, ['accountId', accountId], [[], range, isNamed], ({ records }) => {
		known = records;
		return [true];
	});
	const account = isNamed ? { [survey.nameOf('accountId')]: accountId } : {};
	const dueDays = ({ dueDate }: IDataObject) => Date.parse(toText(dueDate) ?? '');
	const ends = toRange(known, dueDays, ['from', 'to'], 10);
	await surveyFilters(survey, about, known, ends, { ...range, ...account });
	await survey.ask(about, 'Is a range of more than a year refused?', true, async () => {
		const longer = { ...range, ...account, from: addDays(today, -200) };
		const { status, got } = await survey.get('/payments', longer);
		return [status >= 400, got];
	});
	return known;
}

async function surveyRecords(survey: Survey, cards: IDataObject[], transactions: IDataObject[]) {
	const isPurchase = ({ status, amountDirection }: IDataObject) =>
		status === 'settled' && amountDirection === 'debit';
	const purchase = transactions.find(isPurchase) ?? transactions[0] ?? {};
	const hasAny = transactions.length > 0;
	let events: IDataObject[] = [];
	await survey.ask('4.6 events', 'Do the newest events come first?', hasAny, async () => {
		const reply = await survey.get(`/cards/${toText(purchase.cardId)}/financial-events`);
		events = reply.records;
		return [isSorted(events, -1), reply.got];
	});
	const own = events.filter(({ transactionId }) => transactionId === purchase.id);
	const hasEvents = events.length > 0;
	await survey.ask('4.6 events', 'Do events have IDs?', hasEvents, () => [
		events.every((event) => idOf(event) !== undefined),
		`${events.length} events`,
	]);
	const isSame = own.length > 0 && own.every((event) => timeOf(event) === timeOf(purchase));
	await survey.ask(
		'4.6 events',
		'Do events have the ID and time of the transaction?',
		hasEvents,
		() => [isSame, `${own.length} events of ${idOf(purchase)}`],
	);
	const approvals = own.filter(isApproval).length;
	const isSettled = own.length > 0 && isPurchase(purchase);
	await survey.ask('6 events', 'Is a settled purchase approved?', isSettled, () => [
		approvals > 0,
		`${approvals} approvals of ${idOf(purchase)}${approvals > 1 ? ', as its clearing is one' : ''}`,
	]);

	const amounts = transactions.map(({ amount }) => typeof amount);
	await survey.ask('2 transactions', 'Are amounts strings?', hasAny, () => [
		distinct(amounts) === 'string',
		distinct(amounts),
	]);
	const times = transactions.map(({ createdAt }) => toText(createdAt) ?? 'none');
	await survey.ask('2 transactions', 'Are times as in RFC 3339?', hasAny, () => {
		const formats = times.map((time) =>
			time.replace(/^[\d-]+T[\d:]+/, 'date and time, ').replace(/\d/g, '0'),
		);
		return [times.every((time) => RFC_3339.test(time)), distinct(formats)];
	});
	await survey.ask('2 cards', 'Which types of limits are there?', cards.length > 0, async () => {
		const limits: unknown[] = [];
		for (const card of cards.slice(0, 3)) {
			const { json } = await survey.get(`/cards/${idOf(card)}`);
			if (isDataObject(json) && isDataObject(json.limit)) limits.push(json.limit.type);
		}
		return [limits.length > 0 || 'no data', distinct(limits) || 'three cards have none'];
	});
	return events;
}

/** Asks the API what its description leaves open: with GETs only, two at a time. */
export const surveyApi: Operation = {
	value: 'testApi',
	name: 'Test API',
	action: 'Test API for differences',
	description: 'Find out how this API differs, and what to set',
	effect: 'read',
	returns: z.object({
		topic: z.string(),
		question: z.string(),
		result: z.string(),
		evidence: z.string(),
		whatToDo: z.string(),
		section: z.string(),
	}),
	fields: [],
	async run(api, { index }) {
		// What is found out is the same for each item.
		if (index > 0) return [];
		// If this fails, so would all else.
		await api.getRaw('/health');
		const survey = new Survey(api);
		const listValues = async (topic: string, records: IDataObject[], ...fields: string[]) => {
			for (const field of fields) {
				const values = records.flatMap((record) => record[field] ?? []);
				const find = (): [true, string] => [true, distinct(values)];
				await survey.ask(`2 ${topic}`, `Which values has ${field}?`, values.length > 0, find);
			}
		};
		const surveyLists = async () => {
			const cards = await surveyList(survey, '4.3 cards', ['status']);
			await listValues('cards', cards, 'status', 'type');
			const transactions = await surveyList(survey, '4.8 transactions', ['cardId', 'status']);
			await listValues('transactions', transactions, 'status');
			await surveyList(survey, '4.11 settlements', ['cardId']);
			const events = await surveyRecords(survey, cards, transactions);
			await listValues('events', events, 'category', 'issues');
		};
		const surveyOthers = async () => {
			await surveyAccess(survey);
			const payments = await surveyPayments(survey, api.config);
			await listValues('payments', payments, 'status', 'type');
		};
		await Promise.all([surveyLists(), surveyOthers()]);
		const { items, summary } = await survey.finish();
		api.report(summary);
		return items;
	},
};
