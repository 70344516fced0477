import type { IDataObject } from 'n8n-workflow';

import { CARD_BODY_CLEARED, CARD_BODY_FIELDS } from '../../api/assumptions';
import { type Field, type Find, flag, text } from '../../api/field';
import { isDataObject } from '../../api/json';
import { idOf } from '../../api/list';
import { UserError } from '../../api/userError';
import { isBlank, toDecimal } from '../../api/values';
import type { Api } from '../../transport/client';
import { categories, customFields, spendLimit } from '../fields';
import { getCard } from './get';

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

const amountOf = (limit: unknown): bigint | undefined =>
	isDataObject(limit) ? toDecimal(limit[CARD_BODY_FIELDS.limitAmount]) : undefined;

/** Whether a card has what was sent: each category, or the amount of a limit. An amount that cannot be read is not compared. */
function has(actual: unknown, sent: unknown): boolean {
	if (Array.isArray(sent))
		return sent.every((each) => Array.isArray(actual) && actual.includes(each));
	const amount = amountOf(sent);
	return (
		amount === undefined || (!isBlank(actual) && [amount, undefined].includes(amountOf(actual)))
	);
}

/**
 * Checks that a card got the limit and the categories that were sent: an API may ignore fields that it does not know,
 * and their names are undocumented (§4). Reads the card if the response does not show them.
 *
 * @throws UserError if the card does not have them
 */
export async function checkCard(
	api: Api,
	sent: IDataObject,
	response: IDataObject,
	done: 'created' | 'updated',
): Promise<void> {
	const findLacking = (card: IDataObject) =>
		[CARD_BODY_FIELDS.limit, CARD_BODY_FIELDS.categories].find((key) => !has(card[key], sent[key]));
	if (findLacking(response) === undefined) return;
	const id = idOf(response);
	const card = id === undefined ? undefined : await getCard(api, id).catch(() => undefined);
	if (card === undefined) {
		api.report(
			'The API did not show the card after the change: check its limit and categories.',
			'warning',
		);
		return;
	}
	const lacking = findLacking(card);
	if (lacking === undefined) return;
	const again = done === 'created' ? ' Running this again creates another card.' : '';
	throw new UserError(
		`The card was ${done}, but without the ${lacking} that you set: card ${card.id}`,
		`Set its ${lacking} in the dashboard, or freeze it.${again} If Card: Get shows the ${lacking} under another name, set it by that name in "Custom Fields".`,
	);
}
