import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { type Field, refuseUnevaluated, text } from '../../api/field';
import { CATEGORIES } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, quoteValue, toAmount, toJsonMap, toTitle } from '../../api/values';

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

export const spendLimit: Field<IDataObject> = {
	displayName: 'Limit',
	parse: refuseUnevaluated(readSpendLimit),
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
						'Required. Copy the word that Card: Get shows under limit → type, for a card that has a limit.',
				}),
			],
		},
	],
	description: 'How much can be spent with the card',
};

/** Body fields that are sent as they are (§4: two bodies are undocumented). */
export const customFields: Field<Record<string, GenericValue>> = {
	displayName: 'Custom Fields',
	// An object comes from an expression, and may have any string.
	parse: (value, label, timezone) =>
		(typeof value === 'string' ? refuseUnevaluated(toJsonMap) : toJsonMap)(value, label, timezone),
	name: 'customFields',
	type: 'json',
	default: '{}',
	description:
		'Extra JSON fields, for API features that have no field here. The node sends them unchanged, but refuses empty values (null, [], blanks).',
};
