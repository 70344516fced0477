import type { INodeProperties } from 'n8n-workflow';

import { toAmountLimit, toDecimal } from '../../api/decimal';
import type { RecordFilter } from '../../api/recordFilter';
import { UserError } from '../../api/userError';
import { quoteValue } from '../../api/values';
import { parseEventFilters } from '../../events/filters';

const AMOUNTS =
	"Compared without rounding, in the currency of the transaction: combine it with the filter 'Currencies'.";

const AFTER_READING =
	'The node filters after reading, so it may read many more transactions than it returns.';

const field = (
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder,
	description: `${description} ${AFTER_READING}`,
});

/** Filters on a field by which the API cannot filter (§4.8: undocumented); the node applies them. */
export const clientFilters = {
	currencies: field(
		'Currencies',
		'currencies',
		'e.g. USD, EUR',
		'Return only transactions in these currencies (ISO 4217). Separate multiple currencies with commas.',
	),
	maximumAmount: field(
		'Maximum Amount',
		'maximumAmount',
		'e.g. 500.00',
		`Return only transactions of at most this amount. ${AMOUNTS}`,
	),
	merchantName: field(
		'Merchant Name',
		'merchantName',
		'e.g. hotel',
		'Return only transactions at merchants whose name contains this string (not case-sensitive).',
	),
	minimumAmount: field(
		'Minimum Amount',
		'minimumAmount',
		'e.g. 500.00',
		`Return only transactions of at least this amount. ${AMOUNTS}`,
	),
};

/** Reads the filters that the node alone applies: the fields of a transaction have the names that they have in events. */
export function parseClientFilters(values: Record<string, unknown>): RecordFilter[] {
	const filters = parseEventFilters(values).map((passes): RecordFilter => ({ passes }));
	if (!('maximumAmount' in values)) return filters;
	const maximum = toAmountLimit(values.maximumAmount, 'Maximum Amount');
	if (maximum < (toDecimal(values.minimumAmount) ?? 0n)) {
		throw new UserError(
			`Maximum Amount is less than Minimum Amount: ${quoteValue(values.maximumAmount)}, ${quoteValue(values.minimumAmount)}`,
			'Set "Maximum Amount" to at least "Minimum Amount".',
		);
	}
	const passes: RecordFilter['passes'] = ({ amount }) =>
		(toDecimal(amount) ?? maximum + 1n) <= maximum;
	return [...filters, { passes }];
}
