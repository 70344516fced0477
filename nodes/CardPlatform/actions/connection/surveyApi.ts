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

const COLUMNS = ['topic', 'question', 'result', 'evidence', 'whatToDo', 'section'];

/** The format of a time (RFC 3339), with each digit a 0. */
const TIME = /^0000-00-00T00:00:00(\.0+)?(Z|[+-]00:00)$/;

type Read = (record: IDataObject) => unknown;

/** What is shown of the records of lists, to be copied into filters; and what it should be like. */
const VALUES: [list: string, question: string, read: Read, assumed?: RegExp][] = [
	['cards', 'Which values has status?', ({ status }) => status],
	['cards', 'Which values has type?', ({ type }) => type],
	['transactions', 'Which values has status?', ({ status }) => status],
	['transactions', 'Are amounts strings?', ({ amount }) => typeof amount, /string/],
	['transactions', 'Are times as in RFC 3339?', ({ createdAt }) => toFormat(createdAt), TIME],
	['events', 'Do events have IDs?', (event) => typeof idOf(event), /string/],
	['events', 'Which values has category?', ({ category }) => category],
	['events', 'Which values has issues?', ({ issues }) => issues],
	['payments', 'Which values has status?', ({ status }) => status],
	['payments', 'Which values has type?', ({ type }) => type],
];

const toFormat = (time: unknown) => String(time).replace(/\d/g, '0');

/** The different values, in words. */
const distinct = (values: unknown[]): string =>
	[...new Set(values.map((value) => toText(value) ?? JSON.stringify(value)))].join(', ');

const isPurchase = ({ status, amountDirection }: IDataObject) =>
	status === 'settled' && amountDirection === 'debit';

async function surveyAccess(survey: Survey): Promise<void> {
	await survey.ask('6 access', 'Do the clocks agree?', async () => {
		const { headers } = await survey.get('/health');
		const limits = Object.entries(headers).filter(([name]) => /rate-?limit/i.test(name));
		const ahead = Math.round((Date.parse(toText(headers.date) ?? '') - Date.now()) / 1000);
		const evidence = `that of the API is ${ahead} s ahead; rate limit: ${distinct(limits) || 'not named'}`;
		const hint = 'Correct the clock, or raise Timestamp Tolerance in the trigger.';
		return !Number.isNaN(ahead) && [Math.abs(ahead) < 60, evidence, hint];
	});
	await survey.ask('7 access', 'Is an unknown card a 404?', async () => {
		const { status, got } = await survey.get(UNKNOWN_CARD);
		return [status === 404, got];
	});
	await survey.ask('4.3 cards', 'Are unknown parameters ignored?', async () => {
		const { status, got } = await survey.get('/cards', { unknownParameter: '1' });
		return [status < 400 || 'refused', got, 'Nothing: the node sends only what you set.'];
	});
}

async function surveyPayments(survey: Survey, { keyScope, accountId = '' }: ApiConfig) {
	const about = '4.9 payments';
	const today = new Date().toISOString().slice(0, 10);
	let query: Record<string, string> = { from: addDays(today, -180), to: addDays(today, 180) };
	let scope: string = keyScope;
	let payments: IDataObject[] = [];
	await survey.ask('5 access', 'Does the key fit Key Scope?', async () => {
		const { status, got } = await survey.get('/payments', query);
		scope = status < 400 ? 'account' : 'customer';
		const evidence = `asked for payments without an account, ${got}`;
		return [scope === keyScope, evidence, 'Change Key Scope in the credential.'];
	});
	const isNamed = scope === 'customer' && accountId !== '';
	await survey.try(about, ['accountId', accountId], isNamed && query, () => [true]);
	if (isNamed) query = { ...query, [survey.names.accountId ?? '']: accountId };
	await survey.ask(about, 'Is a range of more than a year refused?', async () => {
		payments = (await survey.get('/payments', query)).records;
		const longer = { ...query, from: addDays(today, -200) };
		const { status, got } = await survey.get('/payments', longer);
		return [status >= 400, got, 'Nothing: the node reads year by year.'];
	});
	const dueDay = ({ dueDate }: IDataObject) => Date.parse(toText(dueDate) ?? '');
	const range = toRange(['from', 'to'], payments, dueDay, 10);
	await surveyFilters(survey, about, payments, range, query);
	return payments;
}

async function surveyEvents(survey: Survey, transactions: IDataObject[]): Promise<IDataObject[]> {
	const purchase = transactions.find(isPurchase) ?? transactions[0] ?? {};
	let events: IDataObject[] = [];
	await survey.ask('4.6 events', 'Do the newest events come first?', async () => {
		if (transactions.length === 0) return false;
		const reply = await survey.get(`/cards/${toText(purchase.cardId)}/financial-events`);
		events = reply.records;
		return [isSorted(events, -1), reply.got];
	});
	const own = events.filter(({ transactionId }) => transactionId === purchase.id);
	const evidence = `${own.length} events of ${idOf(purchase)}`;
	await survey.ask('4.6 events', 'Do events have the ID and time of the transaction?', () => {
		const isSame = own.length > 0 && own.every((event) => timeOf(event) === timeOf(purchase));
		return events.length > 0 && [isSame, evidence];
	});
	await survey.ask('6 events', 'Is a settled purchase approved?', () => {
		const approvals = own.filter(isApproval).length;
		const clearing = approvals > 1 ? ': its clearing is one' : '';
		const isTelling = own.length > 0 && isPurchase(purchase);
		return isTelling && [approvals > 0, `${evidence}, approvals: ${approvals}${clearing}`];
	});
	return events;
}

/** Reads the limits of three cards (§4.4). */
async function surveyLimits(survey: Survey, cards: IDataObject[]): Promise<void> {
	await survey.ask('2 cards', 'Which types of limits are there?', async () => {
		const types: unknown[] = [];
		for (const card of cards.slice(0, 3)) {
			const { json } = await survey.get(`/cards/${idOf(card)}`);
			if (isDataObject(json) && isDataObject(json.limit)) types.push(json.limit.type);
		}
		return types.length > 0 && [true, distinct(types)];
	});
}

/** Asks the API what its description leaves open: with GETs only, two at a time. */
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
		await api.getRaw('/health');
		const survey = new Survey(api);
		const lists: Record<string, IDataObject[]> = {};
		const surveyLists = async () => {
			lists.cards = await surveyList(survey, '4.3 cards', 'status');
			await surveyLimits(survey, lists.cards);
			lists.transactions = await surveyList(survey, '4.8 transactions', 'cardId', 'status');
			lists.events = await surveyEvents(survey, lists.transactions);
			await surveyList(survey, '4.11 settlements', 'cardId');
		};
		const surveyOthers = async () => {
			await surveyAccess(survey);
			lists.payments = await surveyPayments(survey, api.config);
		};
		await Promise.all([surveyLists(), surveyOthers()]);
		for (const [topic, question, read, assumed = /^/] of VALUES) {
			const values = (lists[topic] ?? []).flatMap((record) => read(record) ?? []);
			const isAssumed = values.every((value) => assumed.test(toText(value) ?? ''));
			const find = () => values.length > 0 && ([isAssumed, distinct(values)] as const);
			await survey.ask(`2 ${topic}`, question, find);
		}
		const { items, summary } = await survey.finish();
		api.report(summary);
		return items;
	},
};
