import type { IDataObject } from 'n8n-workflow';

import { CARD_BODY_CLEARED, CARD_BODY_FIELDS } from '../../api/assumptions';
import { type Field, type Find, flag, text } from '../../api/field';
import { UserError } from '../../api/userError';
import { categories, customFields, spendLimit } from '../fields';

export const newName = text({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Travel Berlin',
	description: 'The name of the card. Must be unique among cards that are not archived.',
});

export const clearCategories = flag({
	displayName: 'Remove Categories',
	name: 'clearCategories',
	description: 'Whether to remove all categories from the card',
});

export const removeLimit = flag({
	displayName: 'Remove Limit',
	name: 'removeLimit',
	description: 'Whether to remove the limit from the card',
});

/**
 * Reads the fields that creating and updating a card have in common (§2 Card; how they go into the
 * body is undocumented, §4); a field that was not added is not in the body. Updating can also clear categories and limit.
 */
export function readCardBody(find: Find): IDataObject {
	const body: IDataObject = {};
	const name = find(newName);
	if (name !== undefined) body[CARD_BODY_FIELDS.name] = name;
	const set = (
		key: 'categories' | 'limit',
		field: Field<IDataObject | string[]>,
		switchedOff: Field<boolean>,
	) => {
		const value = find(field);
		const isCleared = find(switchedOff) ?? false;
		if (isCleared && value !== undefined) {
			throw new UserError(
				`${switchedOff.displayName} conflicts with ${field.displayName}`,
				`Remove one of the two fields: "${field.displayName}" sets a value, "${switchedOff.displayName}" removes it.`,
			);
		}
		if (isCleared) body[CARD_BODY_FIELDS[key]] = CARD_BODY_CLEARED[key];
		else if (value !== undefined) body[CARD_BODY_FIELDS[key]] = value;
	};
	set('categories', categories, clearCategories);
	set('limit', spendLimit, removeLimit);
	return { ...body, ...find(customFields) };
}
