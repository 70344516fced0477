import type { IExecuteFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import { toLocalDate } from '../../api/dates';
import { timeOf } from '../../api/event';
import { choices, flag } from '../../api/field';
import { cardSchema, TRANSACTION_STATUSES, transactionSchema } from '../../api/schemas';
import { toDecimal } from '../../api/values';
import { nameCards } from '../../events/cards';
import { includeCard } from '../../events/fields';
import { parseEventFilters, TRANSACTION_FILTERS } from '../../events/filters';
import type { Api } from '../../transport/client';
import {
	cardIdFilter,
	customQuery,
	filters,
	moreOptions,
	readLimit,
	returnAllOrLimit,
	sort,
} from '../fields';
import { createdBetween, period, readListQuery } from '../listFilters';
import type { Operation } from '../operation';

type Transaction = z.infer<typeof transactionSchema>;

const AFTER_READING =
	'The node filters after reading, so it may read many more transactions than it returns.';

/** The node alone applies them: the API has none (§4.8). */
const clientFilters = TRANSACTION_FILTERS.filter(({ name }) => name !== 'cardIds').map(
	({ description, ...field }) => ({
		...field,
		description: `${description.replace('Only', 'Return only').replace(/\)$/, ').')} ${AFTER_READING}`,
	}),
);

/** The amount as a number that a spreadsheet adds up to what was spent: refunds are negative, declines 0. */
function toSignedNumber({ amount, amountDirection, status }: Transaction): number | null {
	if (status === 'declined') return 0;
	if (toDecimal(amount) === undefined) return null;
	if (amountDirection === 'debit') return Number(amount);
	// Not -0.
	return amountDirection === 'credit' ? 0 - Number(amount) : null;
}

/**
 * Makes a name that is text in every spreadsheet: merchants choose theirs, and one that begins like a
 * formula would be carried out. Spreadsheets read an apostrophe as the mark of text.
 */
const escapeFormula = (name: string | null | undefined): string | null =>
	name?.replace(/^[=+\-@\t\r\n]/, "'$&") ?? null;

/** Adds the columns that people sort, group and add up by. A card is not listed if it is null. */
async function withColumns(api: Api, transactions: Transaction[], context: IExecuteFunctions) {
	if (transactions.length === 0) return [];
	const timezone = context.getTimezone();
	const cards = await api.list('/cards', {}, Infinity, cardSchema);
	const byId = new Map(cards.map((card) => [card.id, card]));
	const rows = transactions.map((transaction) => {
		const card = byId.get(transaction.cardId ?? '');
		return {
			...transaction,
			amountNumber: toSignedNumber(transaction),
			cardName: escapeFormula(card?.name),
			cardLastFour: card?.lastFour ?? null,
			localDate: toLocalDate(timeOf(transaction), timezone),
			merchant: escapeFormula(transaction.merchantName),
		};
	});
	const unclear = rows.filter(({ amountNumber }) => amountNumber === null).length;
	if (unclear > 0) {
		api.report(
			`Transactions without an amountNumber, as their amount or direction is not clear: ${unclear}. A sum leaves them out.`,
			'warning',
		);
	}
	return rows;
}

const status = choices(
	'Status',
	'status',
	TRANSACTION_STATUSES,
	'settled',
	'Return only transactions with one of these statuses. Pending: held, not charged yet. Settled: charged. Released: no longer held, never charged.',
);

const chosen = filters([cardIdFilter, ...createdBetween, ...clientFilters, period, status]);

const spreadsheetColumns = flag({
	displayName: 'Add Spreadsheet Columns',
	name: 'spreadsheetColumns',
	description:
		'Whether to add the columns amountNumber (pending ones count, refunds are negative, declines 0), cardName, cardLastFour, localDate (in the time zone of the workflow) and merchant. To add up amounts, group by cardId and currency. A name that begins like a formula gets an apostrophe. Needs card management.',
});

const options = moreOptions([spreadsheetColumns, customQuery, includeCard]);

/** GET /transactions (§4.8). The limit counts the transactions that pass the filters. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions by card, amount, merchant or time',
	effect: 'read',
	returns: transactionSchema,
	fields: [...returnAllOrLimit, chosen, options, sort],
	async run(api, item) {
		const own = parseEventFilters(item.get(chosen), clientFilters);
		const query = readListQuery(
			api,
			item,
			chosen,
			options,
			own.map((passes) => ({ passes })),
		);
		const option = item.get(options);
		const addsColumns = option(spreadsheetColumns) === true;
		let transactions = await api.list('/transactions', query, readLimit(item), transactionSchema);
		if (option(includeCard) === true && transactions.length > 0) {
			const nameCard = await nameCards(api, api.report);
			// Its own fields first, and not overwritten.
			transactions = transactions.map((each) => ({ ...each, ...nameCard(each), ...each }));
		}
		if (!addsColumns) return transactions;
		return await withColumns(api, transactions, item.context);
	},
};
