import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { additionalFields, categories, customFields, notice, spendLimit } from '../fields';
import type { Operation } from '../operation';
import { readCardBody } from './body';

/** POST /cards (§4; body and response are undocumented). */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create new card',
	description: 'Create a recurring or single-use card',
	effect: 'once',
	fields: [
		notice(
			'createNotice',
			'Creates a new card for each input item, every time the node runs. Leave Retry On Fail off in the settings of this node: if one item fails, n8n runs all items again.',
		),
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Travel Berlin',
			description: 'The name of the card. Must be unique among cards that are not archived.',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{
					name: 'Recurring',
					value: 'recurring',
					description: 'For many transactions',
				},
				{
					name: 'Single-Use',
					value: 'single-use',
					description: 'For one transaction. Authorizations up to 5 USD do not count.',
				},
			],
			default: 'recurring',
			description: 'How often the card can be used',
		},
		additionalFields([categories, customFields, spendLimit]),
	],
	async run(api, item) {
		const body = {
			[CARD_BODY_FIELDS.name]: item.string('name'),
			[CARD_BODY_FIELDS.type]: item.oneOf('type'),
			...readCardBody(item.collection('additionalFields')),
		};
		return (await api.write('POST', '/cards', { body })) ?? { success: true };
	},
};
