import { type IDataObject, sleep } from 'n8n-workflow';
import { z } from 'zod';

import { CARD_BODY_CLEARED, CARD_BODY_FIELDS } from '../../api/assumptions';
import { type Field, flag, type ReadIfAdded, text } from '../../api/field';
import { idOf } from '../../api/list';
import { nameContains } from '../../api/recordFilter';
import { type Card, cardSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { fold, isBlank, isDataObject, quoteValue, toDecimal, toText } from '../../api/values';
import type { Api } from '../../transport/client';
import { categories, customFields, spendLimit } from './bodyFields';
import { findCard } from './get';

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
export function readCardBody(find: ReadIfAdded): IDataObject {
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
	const others = find(customFields) ?? {};
	const twice = Object.keys(others).find((key) => Object.hasOwn(body, key));
	if (twice === undefined) return { ...body, ...others };
	throw new UserError(
		`Custom Fields conflicts with another field: ${quoteValue(twice)}`,
		`Remove "${twice}" from Custom Fields, or the other field: only one can be sent.`,
	);
}

/**
 * How each field reads that a card is compared by; undefined for what cannot be read. A limit or categories that were
 * removed read like those of a card that has none.
 */
const READ: Record<string, (value: unknown) => string | undefined> = {
	[CARD_BODY_FIELDS.name]: fold,
	[CARD_BODY_FIELDS.type]: fold,
	[CARD_BODY_FIELDS.categories](value) {
		const list = z.array(z.string().toLowerCase()).safeParse(value ?? []).data;
		return list && JSON.stringify([...new Set(list)].sort());
	},
	[CARD_BODY_FIELDS.limit](value) {
		const limit = isDataObject(value) ? value : {};
		if (isBlank(value) || (isDataObject(value) && Object.keys(value).length === 0)) return 'none';
		const amount = toDecimal(limit[CARD_BODY_FIELDS.limitAmount]);
		const type = fold(limit[CARD_BODY_FIELDS.limitType]);
		return amount === undefined || isBlank(type) ? undefined : `${amount} ${type}`;
	},
};

/** Reads a field of a card. A deprecated `category` also restricts the card (§2). */
const read = (key: string, from: IDataObject) => {
	const { category } = from;
	const hasCategory = key === CARD_BODY_FIELDS.categories && !isBlank(category);
	const categories = hasCategory ? [from[key] ?? [], category].flat() : from[key];
	return READ[key]?.(categories);
};

/** Finds a card by its name, which only archived cards may share (§2): the response to its creation may be empty (§4). */
async function findByName(api: Api, { name }: IDataObject): Promise<string | undefined> {
	const label = toText(name) ?? '';
	const cards = await api
		.list('/cards', { filters: [nameContains(label)] }, Infinity, cardSchema)
		.catch(() => []);
	const [card, other] = cards.filter((each) => each.name === label && each.status !== 'archived');
	return other === undefined ? card?.id.toLowerCase() : undefined;
}

/** Reads a card, and once more later if it is not what was asked for. */
async function readAfter(
	api: Api,
	id: string | undefined,
	isAsSent: (card: Card) => boolean,
): Promise<Card | undefined> {
	if (id === undefined) return undefined;
	const card = await findCard(api, id);
	if (card !== undefined && isAsSent(card)) return card;
	// A change may take a moment to show.
	await sleep(1_000);
	return (await findCard(api, id)) ?? card;
}

function notAsSent(fields: string, isRead: boolean, isNew: boolean, cardId?: string): UserError {
	const [done, again] = isNew
		? ['created', ' Running this again creates another card.']
		: ['updated', ''];
	return new UserError(
		isRead
			? `The card was ${done}, but differs from what you set: ${fields} of card ${cardId}`
			: `The card may have been ${done}, but the API does not show its ${fields}: card ${cardId ?? 'without an ID'}`,
		`Check its ${fields} in the dashboard, and change it there, or freeze the card.${again} If Card: Get shows the ${fields} under another name, set it by that name in "Custom Fields".`,
		undefined,
		{ cardId },
	);
}

/**
 * Checks that a card got the name, type, limit and categories that were sent: an API may ignore fields that it does not
 * know, and their names are undocumented (§4). Reads the card if the response does not show them. Of Custom Fields in a
 * form that no card has, the card has to have something.
 *
 * @param id of the card that was updated, in lower case; of a new one, the response or the list of cards has it
 * @returns the response, with the card if it was read
 * @throws UserError with the card's ID, if the card does not have them, or does not show them
 */
export async function checkCard(
	api: Api,
	sent: IDataObject,
	response: IDataObject,
	id?: string,
): Promise<IDataObject> {
	const shownId = idOf(response)?.toLowerCase();
	const cardId = id ?? shownId ?? (await findByName(api, sent));
	const keys = Object.keys(READ).filter((key) => key in sent);
	const isOther = (key: string, card: IDataObject) => {
		const wanted = read(key, sent);
		return wanted === undefined ? isBlank(card[key]) : read(key, card) !== wanted;
	};
	const findOther = (card: IDataObject) => keys.filter((key) => isOther(key, card));
	const isAsSent = (card: IDataObject) => findOther(card).length === 0;
	const isShown =
		shownId !== undefined && shownId === cardId && keys.every((key) => key in response);
	if (keys.length === 0 || (isShown && isAsSent(response))) return response;

	const card = await readAfter(api, cardId, isAsSent);
	if (card !== undefined && isAsSent(card)) return { ...response, ...card };
	const fields = card === undefined ? keys : findOther(card);
	throw notAsSent(fields.join(', '), card !== undefined, id === undefined, cardId);
}
