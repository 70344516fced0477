import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { CARD_BODY_FIELDS } from '../api/assumptions';
import {
	choice,
	choices,
	collection,
	evaluated,
	type Field,
	flag,
	type Get,
	text,
	unwrap,
	whole,
} from '../api/field';
import { CARD_STATUSES, CATEGORIES } from '../api/schemas';
import { UserError } from '../api/userError';
import {
	emptyField,
	isBlank,
	quoteValue,
	toAccountId,
	toAmount,
	toJsonMap,
	toStringMap,
	toTitle,
	toUuid,
	UUID,
} from '../api/values';

/** A record that is picked from a list or given by its ID. */
export const recordPicker = (
	noun: 'card' | 'transaction',
	searchListMethod: 'searchCards' | 'searchTransactions',
	field: { displayName: string; name: string; description: string },
): Field<string> => ({
	...field,
	parse: (value, label) => toUuid(unwrap(value), label),
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	builderHint: {
		propertyHint: `Required, although the type says optional. For the ${noun} of an event, use mode "id" with expr("{{ $json.${field.name} }}").`,
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select a ${noun}...`,
			typeOptions: {
				searchListMethod,
				searchable: true,
				slowLoadNotice: {
					message: `This list has at most 1,000 ${noun}s. For another one, choose "By ID".`,
					timeout: 3_000,
				},
			},
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^\\s*${UUID}\\s*$`,
						errorMessage: `A ${noun} ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10`,
					},
				},
			],
		},
	],
});

/** The card that an operation works on. */
export const cardId = recordPicker('card', 'searchCards', {
	displayName: 'Card',
	name: 'cardId',
	description: 'The card whose events to get',
});

/** The same, described by what the operation does to the card, e.g. "freeze". */
export const cardTo = (verb: string) => ({ ...cardId, description: `The card to ${verb}` });

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

/** "Return All" and "Limit", for every operation that gets many. */
export const returnAllOrLimit = [returnAll, limit];

/** Items wanted: Infinity with Return All. */
export const readLimit = ({ get }: { get: Get }): number =>
	get(returnAll) ? Infinity : get(limit);

/** Filter on the status of a card (§3). */
export const cardStatus = choices(
	'Status',
	'status',
	CARD_STATUSES,
	'active',
	'Return only cards with one of these statuses',
);

const categoriesSchema = z.array(z.string().trim().min(1));
const limitSchema = z
	.object({
		value: z.object({ amount: z.unknown(), type: z.string().trim().nullish() }).strict().optional(),
	})
	.strict();

function readSpendLimit(value: unknown): IDataObject {
	const parsed = limitSchema.safeParse(value);
	if (!parsed.success) {
		throw new UserError(
			`Limit is not an object with an amount and a type: ${quoteValue(value)}`,
			'Set "Limit" in the form. Its amount and its type can be expressions.',
		);
	}
	if (parsed.data.value === undefined) throw emptyField('Limit', false);
	const { amount, type } = parsed.data.value;
	if (isBlank(type)) throw emptyField('Limit Type');
	const { limitAmount, limitType } = CARD_BODY_FIELDS;
	return { [limitAmount]: toAmount(amount, 'Limit Amount'), [limitType]: type };
}

function readCategories(value: unknown): string[] {
	const parsed = categoriesSchema.safeParse(value);
	if (!parsed.success) {
		throw new UserError(
			'Categories is not a list',
			'Choose categories from the list. An expression must return an array, such as ["travel_misc"].',
		);
	}
	return parsed.data;
}

/** The merchants that a card may be used at (§2 Category values). */
export const categories: Field<string[]> = {
	displayName: 'Categories',
	parse: readCategories,
	name: 'categories',
	type: 'multiOptions',
	options: CATEGORIES.map((value) => ({ name: toTitle(value), value })),
	default: [],
	description: 'What the card can be used for. Each category is a group of merchants.',
};

/** The spending limit of a card (§2 Card). */
export const spendLimit: Field<IDataObject> = {
	displayName: 'Limit',
	parse: evaluated(readSpendLimit),
	name: 'limit',
	type: 'fixedCollection',
	placeholder: 'Set Limit',
	// Explicit: otherwise the editor drops an empty limit when a field is added.
	typeOptions: { multipleValues: false },
	default: {},
	options: [
		{
			displayName: 'Limit',
			name: 'value',
			values: [
				text({
					displayName: 'Amount',
					name: 'amount',
					placeholder: 'e.g. 500.00',
					description:
						'The limit, with a point as the decimal separator. The API does not document its currency.',
				}),
				text({
					displayName: 'Type',
					name: 'type',
					placeholder: 'e.g. monthly',
					description:
						'Required. Copy the word that Card: Get shows under limit → type, e.g. monthly.',
				}),
			],
		},
	],
	description: 'How much can be spent with the card',
};

/** The option to read a card as well (§4.4). */
export const includeDetails = (description: string): Field<boolean> =>
	flag({ displayName: 'Include Details', name: 'includeDetails', description });

/** Query parameters that are sent as they are (§4: some names are undocumented). */
export const customQuery: Field<Record<string, string>> = {
	displayName: 'Custom Query Parameters',
	parse: evaluated(toStringMap),
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

/** Body fields that are sent as they are (§4: two bodies are undocumented). */
export const customFields: Field<Record<string, GenericValue>> = {
	displayName: 'Custom Fields',
	// An object comes from an expression, and may have any string.
	parse: (value, label, timezone) =>
		(typeof value === 'string' ? evaluated(toJsonMap) : toJsonMap)(value, label, timezone),
	name: 'customFields',
	type: 'json',
	default: '{}',
	description:
		'Extra JSON fields, sent unchanged, for API features that have no field here. An empty value (null, [], blanks) is refused.',
};

/**
 * The filter on a card. Neither required nor validated by the form: of a field in a collection, n8n would check the
 * field "cardId" outside of it. The run checks both.
 */
export const cardIdFilter: Field<string> = {
	...cardId,
	required: false,
	builderHint: undefined,
	description: 'Return only results for this card',
	modes: cardId.modes?.map((mode) => ({ ...mode, validation: undefined })),
};

export const filters = (fields: Field[]) => collection('Filters', 'filters', 'Add Filter', fields);

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

/** The order by time of creation (§4.3). */
export const sort = collection('Sort', 'sort', 'Add Sort', [sortDirection]);
