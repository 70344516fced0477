import { z } from 'zod';

import type { Field } from '../../api/field';
import { anyJson, type Card, cardPath, cardSchema, type CardStatus } from '../../api/schemas';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';
import { unexpectedResponse } from '../../transport/errors';
import { ARCHIVED } from '../../transport/hints';
import { includeDetails, notice } from '../fields';
import type { Operation } from '../operation';
import { cardId, cardTo } from '../pickers';
import { findCard } from './get';

const details = includeDetails(
	'Whether to read each card before the change, with one more request. The output then has its name, last four digits and previous status.',
);

export const READ_TIMEOUT_MS = 5_000;
const UNREAD =
	'Where the node could not read the card before the change, the item has no name, last four digits or previous status.';

const isNow = (card: Card | undefined, status: CardStatus) =>
	card?.status?.toLowerCase() === status;

const labelOf = (id: string, { name, lastFour }: Partial<Card> = {}): string =>
	`${name ?? `Card ${id}`}${lastFour ? ` (•••• ${lastFour})` : ''}`;

/** Sends the change. The API responds with 204 (§4.5). After anything else, only the card tells whether it was changed. */
async function change(api: Api, id: string, endpoint: string, status: CardStatus): Promise<void> {
	const path = `${cardPath(id)}/${endpoint}`;
	const { response } = await api.mutate('POST', path, {}, anyJson.optional());
	if (response.status === 204 || isNow(await findCard(api, id), status)) return;
	throw unexpectedResponse('status 204', response, { method: 'POST', path, effect: 'repeatable' });
}

/**
 * Makes an operation that moves a card to another status (§3, §4.5); its name is that of the endpoint. The API responds
 * with 204 and no body, so the card is read before (§4.4). It is changed even if it cannot be read.
 */
const changeStatus = (
	status: CardStatus,
	past: string,
	{ value, ...words }: Pick<Operation, 'value' | 'name' | 'action' | 'description'>,
	notices: Field[] = [],
): Operation => ({
	value,
	...words,
	effect: 'repeatable',
	returns: z
		.object({ summary: z.string() })
		.extend(cardSchema.pick({ name: true, lastFour: true, status: true }).shape)
		.extend({ previousStatus: z.string(), changed: z.boolean(), success: z.boolean() })
		.extend({ id: z.string() }),
	fields: [...notices, cardTo(value), details],
	async run(api, { get }) {
		const id = get(cardId);
		const wantsDetails = get(details);
		const card = wantsDetails ? await findCard(api, id, READ_TIMEOUT_MS) : undefined;
		const label = labelOf(id, card);
		if (isNow(card, 'archived') && status !== 'archived') {
			throw new UserError(`${label} is archived, so nothing was sent`, ARCHIVED, undefined, {
				previousStatus: 'archived',
			});
		}
		await change(api, id, value, status);
		if (wantsDetails && !card) api.report(UNREAD);
		const { name, lastFour, status: previousStatus } = card ?? {};
		const changed = previousStatus ? !isNow(card, status) : undefined;
		const summary = changed === false ? `${label} was already ${status}` : `${past} ${label}`;
		return { summary, name, lastFour, status, previousStatus, changed, success: true, id };
	},
});

/** POST /cards/{card-id}/archive (§3, §4.5). */
export const archive = changeStatus(
	'archived',
	'Archived',
	{
		value: 'archive',
		name: 'Archive',
		action: 'Archive card permanently',
		description: 'Permanently close a card. Cannot be undone.',
	},
	[
		notice(
			'archiveNotice',
			'Archiving is permanent: the card can never be used again. To block purchases for now, use Freeze instead.',
		),
	],
);

/** POST /cards/{card-id}/freeze (§3, §4.5). */
export const freeze = changeStatus('frozen', 'Froze', {
	value: 'freeze',
	name: 'Freeze',
	action: 'Freeze card',
	description: 'Block new purchases until the card is unfrozen',
});

/** POST /cards/{card-id}/unfreeze (§3, §4.5). */
export const unfreeze = changeStatus('active', 'Unfroze', {
	value: 'unfreeze',
	name: 'Unfreeze',
	action: 'Unfreeze card',
	description: 'Let a frozen card be used again',
});
