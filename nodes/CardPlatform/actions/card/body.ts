import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { CARD_BODY_CLEARED, CARD_BODY_FIELDS } from '../../api/assumptions';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, quoteValue, toAmount } from '../../api/values';
import type { Collection } from '../parameters';

/** A field that can be cleared, and the switch that does so. */
const CLEARABLE = [
	['categories', 'Categories', 'clearCategories', 'Clear Categories'],
	['limit', 'Limit', 'removeLimit', 'Remove Limit'],
] as const;

const categoriesSchema = z.array(z.string().trim().min(1)).optional();
const limitSchema = z
	.object({
		value: z.object({ amount: z.unknown(), type: z.string().trim().nullish() }).strict().optional(),
	})
	.strict();

function readLimit(value: unknown): IDataObject | undefined {
	if (value === undefined) return undefined;
	const parsed = limitSchema.safeParse(value);
	if (!parsed.success) {
		throw new UserError(
			`Limit is not an object with an amount and a type: ${quoteValue(value)}`,
			'Set "Limit" in the form. An expression must return {"value": {"amount": "500.00", "type": "monthly"}}.',
		);
	}
	if (parsed.data.value === undefined) throw emptyField('Limit', false);
	const { amount, type } = parsed.data.value;
	if (isBlank(type)) throw emptyField('Limit Type');
	const { limitAmount, limitType } = CARD_BODY_FIELDS;
	return { [limitAmount]: toAmount(amount, 'Limit Amount'), [limitType]: type };
}

function readCategories(value: unknown): string[] | undefined {
	const parsed = categoriesSchema.safeParse(value);
	if (!parsed.success) {
		throw new UserError(
			'Categories is not a list',
			'Choose categories from the list. An expression must return an array, such as ["travel_misc"].',
		);
	}
	return parsed.data;
}

/**
 * Reads the fields that creating and updating a card have in common (§2 Card; how they go into the
 * body is undocumented, §4); one that was not added is not in the body. Updating can also clear categories and limit.
 */
export function readCardBody(fields: Collection): IDataObject {
	const body: IDataObject = {};
	const name = fields.string('name');
	if (name !== undefined) body[CARD_BODY_FIELDS.name] = name;

	const values = {
		categories: readCategories(fields.values.categories),
		limit: readLimit(fields.values.limit),
	};
	for (const [field, label, flag, flagLabel] of CLEARABLE) {
		const isCleared = fields.flag(flag);
		const value = values[field];
		if (isCleared && value !== undefined) {
			throw new UserError(
				`${flagLabel} conflicts with ${label}`,
				`Remove one of the two fields: "${label}" sets a value, "${flagLabel}" removes it.`,
			);
		}
		if (isCleared) body[CARD_BODY_FIELDS[field]] = CARD_BODY_CLEARED[field];
		else if (value !== undefined) body[CARD_BODY_FIELDS[field]] = value;
	}
	return { ...body, ...fields.jsonMap('customFields') };
}
