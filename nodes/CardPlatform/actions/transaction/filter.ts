import type { INodeProperties } from 'n8n-workflow';

import { toAmountLimit, toDecimal } from '../../api/decimal';
import type { RecordFilter } from '../../api/recordFilter';
import { UserError } from '../../api/userError';
import { quoteValue } from '../../api/values';
import { parseEventFilters } from '../../events/filters';
import { eventFilters } from '../../events/form';

const AFTER_READING =
	'The node filters after reading, so it may read many more transactions than it returns.';

/** The filter of the triggers on a field that transactions have, too. */
const ofEvents = (name: string) =>
	eventFilters
		.filter((field) => field.name === name)
		.map(({ description = '', ...field }) => {
			const text = description
				.replace('Only events', 'Return only transactions')
				.replace('the event', 'the transaction')
				.replace(/\)$/, ').');
			return { ...field, description: `${text} ${AFTER_READING}` };
		});

/** Filters on a field by which the API cannot filter (§4.8: undocumented); the node applies them. */
export const clientFilters: INodeProperties[] = [
	...ofEvents('currencies'),
	...ofEvents('minimumAmount').map((field) => ({
		...field,
		displayName: 'Maximum Amount',
		name: 'maximumAmount',
		description: field.description.replace('at least', 'at most'),
	})),
	...ofEvents('merchantName'),
	...ofEvents('minimumAmount'),
];

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
