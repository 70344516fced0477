import {
	choice,
	choices,
	collection,
	type Field,
	flag,
	type ReadField,
	refuseUnevaluated,
	text,
	whole,
} from '../api/field';
import { CARD_STATUSES } from '../api/schemas';
import { toAccountId, toStringMap } from '../api/values';

/** A warning above the fields of an operation. */
export const notice = (name: string, displayName: string): Field<void> => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	parse: () => undefined,
});

/** The account that an operation works on; there is no list of accounts to pick from (§4). */
export const accountId = (displayName: string, description: string): Field<number> =>
	text(
		{ displayName, name: 'accountId', required: true, placeholder: 'e.g. 1001', description },
		toAccountId,
	);

const returnAll = flag({
	displayName: 'Return All',
	name: 'returnAll',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = whole({
	displayName: 'Limit',
	name: 'limit',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
});

export const returnAllOrLimit = [returnAll, limit];

/** Items wanted: Infinity with Return All. */
export const readLimit = ({ get }: { get: ReadField }): number =>
	get(returnAll) ? Infinity : get(limit);

export const cardStatus = choices(
	'Status',
	'status',
	CARD_STATUSES,
	'active',
	'Return only cards with one of these statuses',
);

/** The option to read each card as well (§4.4). */
export const includeDetails = (description: string): Field<boolean> =>
	flag({ displayName: 'Include Details', name: 'includeDetails', description });

/** Query parameters that are sent as they are (§4: some names are undocumented). */
export const customQuery: Field<Record<string, string>> = {
	displayName: 'Custom Query Parameters',
	parse: refuseUnevaluated(toStringMap),
	name: 'customQuery',
	type: 'fixedCollection',
	placeholder: 'Add Parameter',
	typeOptions: { multipleValues: true },
	default: {},
	options: [
		{
			displayName: 'Name and Value',
			name: 'pairs',
			values: [
				text({ displayName: 'Name', name: 'name', placeholder: 'e.g. department' }),
				text({ displayName: 'Value', name: 'value', placeholder: 'e.g. marketing' }),
			],
		},
	],
	description:
		'Adds query parameters that this node has no field for, in this operation only. To rename a parameter that the node sends, use "Parameter Names" in the credential.',
};

/** What a person adds to get fewer records. */
export const filters = (fields: Field[]) => collection('Filters', 'filters', 'Add Filter', fields);

/** What a person adds to change how an operation works. */
export const moreOptions = (fields: Field[]) =>
	collection('Options', 'options', 'Add Option', fields);

export const sortDirection = choice({
	displayName: 'Creation Time',
	name: 'createdAt',
	options: [
		{ name: 'Newest First', value: 'desc' },
		{ name: 'Oldest First', value: 'asc' },
	],
	default: 'desc',
	description: 'The order of the results by creation time',
});

export const sort = collection('Sort', 'sort', 'Add Sort', [sortDirection]);
