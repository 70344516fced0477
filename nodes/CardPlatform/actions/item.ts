import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Problem } from '../api/problem';
import { toInstant } from './instant';

const uuidSchema = z.string().uuid();
const collectionSchema = z.record(z.unknown());

/** The parameters of one item, checked: every method throws a Problem that names the field. */
export interface ItemParameters {
	/** A uuid, lower case; the field may be a resource locator. */
	uuid: (parameter: string, label: string) => string;
	/** Items wanted: the Limit, or Infinity with Return All. */
	limit: () => number;
	/** The values that were added to a collection ("Filters", "Options"), by name. */
	collection: (parameter: string) => Collection;
}

/** The values of a collection; each method gives undefined for a value that was not added. */
export interface Collection {
	/** Text, trimmed; blank counts as not added. */
	text: (name: string) => string | undefined;
	/** A moment as an RFC 3339 text in UTC; without an offset it is meant in the workflow's zone. */
	instant: (name: string, label: string) => string | undefined;
}

/**
 * Reads the parameters of one item.
 *
 * @param index of the item
 */
export function readItem(context: IExecuteFunctions, index: number): ItemParameters {
	const raw = (parameter: string): unknown =>
		context.getNodeParameter(parameter, index, undefined, { extractValue: true });

	return {
		uuid(parameter, label) {
			const value = raw(parameter);
			const parsed = uuidSchema.safeParse(typeof value === 'string' ? value.trim() : value);
			if (parsed.success) return parsed.data.toLowerCase();
			if (value === undefined || value === null || value === '') {
				throw new Problem(
					`${label} is empty`,
					`Choose a value in the field "${label}", or check that the expression in it finds one for this item.`,
				);
			}
			throw new Problem(
				`${label} is not a valid ID: ${JSON.stringify(value)}`,
				`"${label}" takes an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier step (cardId of an event, id of a card).`,
			);
		},

		limit() {
			if (context.getNodeParameter('returnAll', index, false)) return Infinity;
			const value: unknown = context.getNodeParameter('limit', index, 50);
			const limit = typeof value === 'string' ? Number(value) : value;
			if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
			throw new Problem(
				`Limit is not a whole number above zero: ${JSON.stringify(value)}`,
				'Set "Limit" to 1 or more, or turn on "Return All".',
			);
		},

		collection(parameter) {
			const parsed = collectionSchema.safeParse(context.getNodeParameter(parameter, index, {}));
			const values = parsed.success ? parsed.data : {};
			const text = (name: string) => {
				const value = values[name];
				const trimmed = typeof value === 'string' ? value.trim() : '';
				return trimmed === '' ? undefined : trimmed;
			};
			return {
				text,
				instant(name, label) {
					const value = text(name);
					return value === undefined ? undefined : toInstant(value, context.getTimezone(), label);
				},
			};
		},
	};
}
