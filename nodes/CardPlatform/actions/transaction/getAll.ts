import type { z } from 'zod';

import { toLocalDate } from '../../api/dates';
import { timeOf } from '../../api/event';
import { choices, type Field, flag } from '../../api/field';
import { inReadingOrder, TRANSACTION_STATUSES, transactionSchema } from '../../api/schemas';
import { toDecimal, toText } from '../../api/values';
import { nameCards } from '../../events/cardEvents';
import { includeCard } from '../../events/fields';
import { parseEventFilters, TRANSACTION_FILTERS } from '../../events/filters';
import type { Api } from '../../transport/client';
import { customQuery, filters, moreOptions, readLimit, returnAllOrLimit, sort } from '../fields';
import { createdBetween, readListQuery } from '../listFilters';
import type { Operation } from '../operation';
import { cardIdFilter } from '../pickers';

type Transaction = z.infer<typeof transactionSchema>;

/** The node alone applies them: the API has none (§4.8). In the order of use. */
const clientFilters = ['merchantName', 'minimumAmount', 'maximumAmount', 'currencies'].flatMap(
	(name) => TRANSACTION_FILTERS.filter((filter) => filter.name === name),
);
/** The amount as a number; their sum is what was spent: refunds are negative, declines 0. */
function toSignedNumber({ amount, amountDirection, status }: Transaction): number | null {
	if (toText(status)?.toLowerCase() === 'declined') return 0;
	const decimal = toDecimal(amount);
	const number = Number(amount);
	// A number has about 16 digits: of more, it would be another amount.
	if (decimal === undefined || toDecimal(number) !== decimal) return null;
	// The direction alone is the sign.
	const size = Math.abs(number);
	if (amountDirection === 'debit') return size;
	// Not -0.
	return amountDirection === 'credit' ? 0 - size : null;
}

/**
 * Makes a string that no spreadsheet runs: merchants choose their names, and a name may begin like a formula.
 * Spreadsheets take an apostrophe as the mark of text.
 */
const escapeFormula = (value: unknown): string | null =>
	toText(value)?.replace(/^[=+\-@]/, "'$&") ?? null;

/** Makes the rows of a spreadsheet, with IDs last. A card that is not listed has no name. */
async function toRows(api: Api, transactions: Transaction[], timezone: string) {
	const nameCard = await nameCards(api);
	const rows = transactions.map((transaction) => {
		const { cardName, cardLastFour } = nameCard(transaction);
		return {
			localDate: toLocalDate(timeOf(transaction), timezone),
			merchant: escapeFormula(transaction.merchantName),
			amountNumber: toSignedNumber(transaction),
			currency: escapeFormula(transaction.currency),
			status: escapeFormula(transaction.status),
			cardName: escapeFormula(cardName),
			cardLastFour: escapeFormula(cardLastFour),
			cardId: escapeFormula(transaction.cardId),
			id: escapeFormula(transaction.id),
		};
	});
	const unclear = rows.filter(({ amountNumber }) => amountNumber === null).length;
	if (unclear > 0) {
		api.report(
			`Transactions without amountNumber, because their amount or direction is unclear: ${unclear}. A sum leaves them out.`,
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
	'Return only transactions with one of these statuses. Pending ones are held, not charged yet; released ones are never charged.',
);

const chosen = filters([...createdBetween, cardIdFilter, status, ...clientFilters]);

const output: Field<boolean> = {
	...flag({ displayName: 'Output', name: 'spreadsheetColumns', default: false }),
	type: 'options',
	options: [
		{ name: 'All Fields', value: false, description: 'As the API returns them' },
		{
			name: 'For a Spreadsheet',
			value: true,
			description:
				'Columns: day, merchant, amount (a number), currency, status, card. Needs card management.',
		},
	],
	description:
		'For a spreadsheet, amounts are numbers: pending ones count, refunds are negative, declines 0. Add up each currency separately.',
};

const options = moreOptions([
	includeCard,
	customQuery,
	// It may also stand here: hidden, as it cannot be added.
	{ ...output, type: 'hidden' },
]);

/** GET /transactions (§4.8). The limit counts the transactions that pass the filters. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions by card, amount, merchant or time',
	effect: 'read',
	returns: transactionSchema,
	fields: [...returnAllOrLimit, output, chosen, sort, options],
	async run(api, item) {
		const own = parseEventFilters(item.get(chosen), clientFilters);
		const query = readListQuery(
			api,
			item,
			chosen,
			options,
			own.map((passes) => ({ passes, field: passes.field })),
		);
		const option = item.get(options);
		const isSheet = option(output) ?? item.get(output);
		const includesCard = option(includeCard) === true;
		const transactions = await api.list('/transactions', query, readLimit(item), transactionSchema);
		if (transactions.length === 0) return [];
		if (isSheet) return await toRows(api, transactions, item.context.getTimezone());
		const nameCard = includesCard ? await nameCards(api, api.report) : () => ({});
		return transactions.map((each) => inReadingOrder({ ...nameCard(each), ...each }));
	},
};
