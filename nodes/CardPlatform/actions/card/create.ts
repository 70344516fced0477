import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { CARD_TYPES } from '../../api/schemas';
import { categories, customFields, spendLimit } from '../fields';
import type { Operation } from '../operation';
import { readCardBody } from './body';

/** POST /cards (§4; the body and the answer are not shown). */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a card',
	risk: 'each call creates another card',
	description: 'Create a card; each call creates another one',
	effect: 'once',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Travel Berlin',
			description: 'Must be unique among cards that are not archived',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{
					name: 'Recurring',
					value: 'recurring',
					description: 'Can be used for many transactions',
				},
				{
					name: 'Single-Use',
					value: 'single-use',
					description:
						'Can be used for one transaction; small authorizations up to 5 USD do not count',
				},
			],
			default: 'recurring',
			description: 'How often the card can be used',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [categories, customFields, spendLimit],
		},
	],
	async run(api, item) {
		const body = {
			[CARD_BODY_FIELDS.name]: item.string('name', 'Name'),
			[CARD_BODY_FIELDS.type]: item.oneOf('type', 'Type', CARD_TYPES),
			...readCardBody(item.collection('additionalFields')),
		};
		return (await api.write('POST', '/cards', { body })) ?? { success: true };
	},
};
