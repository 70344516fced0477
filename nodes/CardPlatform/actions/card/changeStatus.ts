import { z } from 'zod';

import type { Field } from '../../api/field';
import { cardSchema, type CardStatus } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { cardId, includeDetails, moreOptions, notice } from '../fields';
import type { Operation } from '../operation';
import { getCard } from './get';

function toDetailsError(error: unknown): { detailsError: string } {
	if (error instanceof UserError) return { detailsError: error.message };
	throw error;
}

const details = includeDetails(
	'Whether to return the card as it is afterwards, with its name, limit and available balance. Sends one more request. If it fails, the output has only the ID and the new status, and the reason in detailsError.',
);

const options = moreOptions([details]);

/**
 * Makes an operation that moves a card to another status (§3, §4.5); its name is that of the endpoint. The API responds
 * with 204 and no body, so the output says what is true from now on, or on request is the card (§4.4). The change has
 * succeeded even if the card cannot be read.
 */
const changeStatus = (
	status: CardStatus,
	{ value, ...words }: Pick<Operation, 'value' | 'name' | 'action' | 'description'>,
	notices: Field[] = [],
): Operation => ({
	value,
	...words,
	effect: 'repeatable',
	// With Include Details; without, only id, status and success.
	returns: cardSchema.extend({ success: z.boolean() }),
	fields: [...notices, cardId, options],
	async run(api, { get }) {
		const id = get(cardId);
		const wantsDetails = get(options)(details) === true;
		await api.write('POST', `/cards/${id}/${value}`);
		const card = wantsDetails && (await getCard(api, id).catch(toDetailsError));
		return { id, status, ...card, success: true };
	},
});

/** POST /cards/{card-id}/archive (§3, §4.5). */
export const archive = changeStatus(
	'archived',
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
export const freeze = changeStatus('frozen', {
	value: 'freeze',
	name: 'Freeze',
	action: 'Freeze card',
	description: 'Block new purchases until the card is unfrozen',
});

/** POST /cards/{card-id}/unfreeze (§3, §4.5). */
export const unfreeze = changeStatus('active', {
	value: 'unfreeze',
	name: 'Unfreeze',
	action: 'Unfreeze card',
	description: 'Let a frozen card be used again',
});
