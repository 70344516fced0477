import { addDays, DAY, toLocalDate } from '../api/dates';
import { choice, choices, collection, text, toOptions, whole } from '../api/field';
import {
	balanceSchema,
	CARD_STATUSES,
	cardSchema,
	TRANSACTION_STATUSES,
	transactionSchema,
} from '../api/schemas';
import { UserError } from '../api/userError';
import { toBound, toDecimal, toDecimalString, toLine, toTitle } from '../api/values';
import { listTransactions, nameCards } from '../events/cardEvents';
import { parseEventFilters, TRANSACTION_FILTERS } from '../events/filters';
import { describePurchase, toReadableAmount } from '../events/summary';
import { listPayments, paymentAccount } from '../transport/payments';
import { statusOf, watchRecords } from './compareRecords';
import type { Kind } from './types';

/** What is known, between two strings. */
const between = (before: string, value: unknown, after = ''): string =>
	toLine(value).replace(/.+/, `${before}$&${after}`);

const transactionStatuses = choices(
	'New Status',
	'transactionStatuses',
	TRANSACTION_STATUSES,
	'settled',
	'Which status starts the workflow. Pending ones are held, not charged yet; released ones are never charged.',
);

const transactionFilters = collection(
	'Filters',
	'filters',
	'Add Filter',
	TRANSACTION_FILTERS,
	'The workflow starts only for transactions that pass all filters',
);

export const transactions: Kind = {
	value: 'transactions',
	name: 'Transactions',
	description: 'A transaction has settled, or has another status',
	action: 'On transaction settled',
	fields: [transactionStatuses, transactionFilters],
	read(get, { lookBack, includeCard }) {
		const statuses = get(transactionStatuses);
		const filters = parseEventFilters(get(transactionFilters), TRANSACTION_FILTERS);
		return watchRecords({
			noun: 'transactions',
			rememberedDays: lookBack,
			list: async (api, from) =>
				await listTransactions(api, { from, to: Infinity }, transactionSchema),
			isChosen: ({ state, record }) =>
				statuses.includes(state) && filters.every((passes) => passes(record)),
			describe: async ({ state, before = null, record }, api) => ({
				summary: `${toTitle(state)}${record.amountDirection === 'credit' ? ' refund' : ''}: ${describePurchase(record)}`,
				previousStatus: before,
				...(includeCard && (await nameCards(api, api.report))(record)),
			}),
		});
	},
};

const cardChanges = choices(
	'New Status',
	'cardChanges',
	[...CARD_STATUSES, 'created'],
	'frozen',
	'What starts the workflow. Created: a new card, whatever its status.',
);

export const cards: Kind = {
	value: 'cards',
	name: 'Cards',
	description: 'A card was frozen, unfrozen, archived or created',
	action: 'On card frozen',
	fields: [cardChanges],
	read(get) {
		const changes = get(cardChanges);
		return watchRecords({
			noun: 'cards',
			list: async (api) => await api.list('/cards', {}, Infinity, cardSchema),
			isChosen: ({ state, before }) =>
				changes.includes(state) || (before === undefined && changes.includes('created')),
			describe: ({ state, before = null, record: { name, lastFour } }) => ({
				summary: `${before === null ? 'New card' : toTitle(state)}${between(': ', name)}${between(' (', lastFour, ')')}`,
				previousStatus: before,
			}),
		});
	},
};

const paymentChanges = choices(
	'Trigger On',
	'paymentChanges',
	['due', 'new', 'statusChanged'],
	'due',
	'What starts the workflow. Due: once, some days before the due date.',
);

const dueWithin = whole({
	displayName: 'Due Within (Days)',
	name: 'dueWithin',
	displayOptions: { show: { paymentChanges: ['due'] } },
	typeOptions: { minValue: 0, maxValue: 365 },
	default: 3,
	description: 'How many days before its due date a payment starts the workflow',
});

/** Marks the state of a payment that is due soon, before its status: with its day, as each due date counts. */
const DUE_MARK = /^due \d+ /;

export const payments: Kind = {
	value: 'payments',
	name: 'Payments',
	description: 'A bill is due soon, is new, or has another status',
	action: 'On payment due',
	fields: [paymentChanges, dueWithin],
	read(get, _, timezone) {
		const changes = get(paymentChanges);
		const days = changes.includes('due') ? get(dueWithin) : 0;
		const today = () => toLocalDate(Date.now(), timezone) ?? '';
		const daysUntil = (time: number) => Math.floor((time - Date.parse(today())) / DAY);
		const dueOf = (state = '') => DUE_MARK.exec(state)?.[0];
		const withoutDue = (state = '') => state.replace(DUE_MARK, '');
		return watchRecords({
			noun: 'payments',
			identity: (config) => [paymentAccount(config), days],
			async list(api) {
				const range = { from: addDays(today(), -30), to: addDays(today(), 365) };
				return await listPayments(api, range, paymentAccount(api.config));
			},
			timeField: 'dueDate',
			stateOf(record, time, known) {
				// Once due, whatever n8n's clock says later.
				const due = `due ${Math.floor(time / DAY)} `;
				const isDue = dueOf(known?.state) === due || daysUntil(time) <= days;
				return `${isDue ? due : ''}${statusOf(record, withoutDue(known?.state))}`;
			},
			isChosen: ({ state, before }) =>
				(changes.includes('due') && DUE_MARK.test(state) && dueOf(state) !== dueOf(before)) ||
				(before === undefined
					? changes.includes('new')
					: changes.includes('statusChanged') &&
						!['', withoutDue(state)].includes(withoutDue(before))),
			describe: ({ before, time, record: { amount, dueDate, descriptor, status } }) => ({
				summary: `Due ${toLine(dueDate)}: ${toReadableAmount(amount)}${between(' ', descriptor)}${between(' (', status, ')')}`,
				daysUntilDue: daysUntil(time),
				previousStatus: before === undefined ? null : withoutDue(before),
			}),
		});
	},
};

/** What is compared with the threshold. */
const CONDITIONS = [
	{ value: 'availableBelow', name: 'Available Credit Falls Below', field: 'availableCreditLimit' },
	{ value: 'spend24hAbove', name: 'Spend of 24 Hours Exceeds', field: 'last24HoursSpend' },
	{ value: 'spend30dAbove', name: 'Spend of 30 Days Exceeds', field: 'last30DaysSpend' },
] as const;

const balanceCondition = choice({
	displayName: 'Condition',
	name: 'balanceCondition',
	options: toOptions(CONDITIONS),
	default: 'availableBelow',
	description: 'Starts the workflow once each time the balance crosses the threshold',
});

const threshold = text(
	{ displayName: 'Threshold', name: 'threshold', required: true, placeholder: 'e.g. 5000.00' },
	toBound,
);

const thresholdUnit = choice({
	displayName: 'Threshold Unit',
	name: 'thresholdUnit',
	displayOptions: { show: { balanceCondition: ['availableBelow'] } },
	options: [
		{ name: 'Amount', value: 'amount' },
		{ name: 'Percent of the Credit Limit', value: 'percent' },
	],
	default: 'amount',
});

/** A hundred percent, exact as amounts are. */
const HUNDRED = toBound(100, '');

export const balance: Kind = {
	value: 'balance',
	name: 'Balance',
	description: 'The credit that is left, or the spend, crosses a threshold',
	action: 'On low credit',
	fields: [balanceCondition, threshold, thresholdUnit],
	read(get) {
		const chosen = get(balanceCondition);
		const { name, field } = CONDITIONS.find(({ value }) => value === chosen) ?? CONDITIONS[0];
		const isBelow = field === 'availableCreditLimit';
		const isPercent = isBelow && get(thresholdUnit) === 'percent';
		const bound = get(threshold);
		const amount = toDecimalString(bound);
		const shown = isPercent ? `${amount.replace(/\.00$/, '')}%` : amount;
		return watchRecords({
			noun: 'balance',
			identity: () => [field, shown],
			list: async (api) => [await api.get('/balance', balanceSchema)],
			stateOf(record) {
				const [value, limit] = [toDecimal(record[field]), toDecimal(record.overallCreditLimit)];
				if (value === undefined || limit === undefined)
					throw new UserError(
						'An amount of the balance is not a decimal number',
						'Ask your provider.',
					);
				// Of no limit at all, nothing is left.
				const distance = value * HUNDRED - bound * (isPercent ? limit || 1n : HUNDRED);
				return (isBelow ? distance < 0n : distance > 0n) ? 'crossed' : 'normal';
			},
			isChosen: ({ state }) => state === 'crossed',
			describe: ({ record }) => ({
				summary: `${name.replace(/ (Falls|Exceeds).*/, '')} is ${toReadableAmount(record[field])}, ${isBelow ? 'below' : 'above'} ${toReadableAmount(shown)}`,
				threshold: shown,
			}),
		});
	},
};
