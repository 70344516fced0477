import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { Problem } from '../../api/problem';
import type { Collection } from '../item';
import { toAmount } from '../values/amount';

const categoriesSchema = z.array(z.string()).optional();
const limitSchema = z
	.object({
		value: z
			.object({ amount: z.unknown(), type: z.string().trim().default('') })
			.strict()
			.optional(),
	})
	.strict()
	.default({});

function readLimit(value: unknown): IDataObject | undefined {
	const parsed = limitSchema.safeParse(value);
	if (!parsed.success) {
		throw new Problem(
			`Limit is not an amount and a type: ${JSON.stringify(value)}`,
			'Set "Limit" in the form. From an expression it is {"value": {"amount": "500.00", "type": "monthly"}}.',
		);
	}
	if (parsed.data.value === undefined) return undefined;
	const { type } = parsed.data.value;
	const amount = toAmount(parsed.data.value.amount, 'Limit Amount');
	const { limitAmount, limitType } = CARD_BODY_FIELDS;
	return { [limitAmount]: amount, ...(type !== '' && { [limitType]: type }) };
}

/**
 * Reads the fields that creating and updating a card have in common (§2 Card; how they go into the
 * body is not shown, §4).
 *
 * @param fields the values that were added
 * @returns the body; a field that was not added is not in it
 * @throws Problem
 */
export function readCardBody(fields: Collection): IDataObject {
	const body: IDataObject = {};
	const name = fields.text('name');
	if (name !== undefined) body[CARD_BODY_FIELDS.name] = name;

	const categories = categoriesSchema.safeParse(fields.values.categories);
	if (!categories.success) {
		throw new Problem('Categories is not a list', 'Choose the categories from the list.');
	}
	if (categories.data !== undefined) body[CARD_BODY_FIELDS.categories] = categories.data;

	const limit = readLimit(fields.values.limit);
	if (limit !== undefined) body[CARD_BODY_FIELDS.limit] = limit;
	return { ...body, ...fields.namedTexts('customFields', 'Custom Fields') };
}
