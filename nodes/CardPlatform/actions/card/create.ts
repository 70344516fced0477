import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { choice, collection } from '../../api/field';
import { cardSchema } from '../../api/schemas';
import { notice } from '../fields';
import type { Operation } from '../operation';
import { checkCard, newName, readCardBody } from './body';
import { categories, customFields, spendLimit } from './bodyFields';

const name = { ...newName, required: true };

const type = choice({
	displayName: 'Type',
	name: 'type',
	options: [
		{ name: 'Recurring', value: 'recurring', description: 'For many transactions' },
		{
			name: 'Single-Use',
			value: 'single-use',
			description: 'For one transaction. Authorizations up to 5 USD do not count.',
		},
	],
	default: 'recurring',
	description: 'How often the card can be used',
});

const additionalFields = collection('Additional Fields', 'additionalFields', 'Add Field', [
	spendLimit,
	categories,
	customFields,
]);

/** POST /cards (§4; body and response are undocumented). */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create card',
	description: 'Create a recurring or single-use card',
	effect: 'unrepeatable',
	returns: cardSchema,
	fields: [
		notice(
			'createNotice',
			'Creates a new card for each input item, every time the node runs. Leave "Retry On Fail" off in the settings of this node: if one item fails, n8n runs all items again.',
		),
		name,
		type,
		additionalFields,
	],
	async run(api, { get }) {
		const body = {
			[CARD_BODY_FIELDS.name]: get(name),
			[CARD_BODY_FIELDS.type]: get(type),
			...readCardBody(get(additionalFields)),
		};
		return await checkCard(api, body, (await api.write('POST', '/cards', { body })) ?? {});
	},
};
