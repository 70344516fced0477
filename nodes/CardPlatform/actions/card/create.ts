import { CARD_BODY_FIELDS } from '../../api/assumptions';
import { CARD_TYPES } from '../../api/schemas';
import { categories, customFields, spendLimit } from '../fields';
import type { Operation } from '../operation';
import { readCardBody } from './body';

/** POST /cards (§4; the body and the answer are not shown). */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a new card',
	risk: 'each call creates another one',
	description: 'Create a card; each call makes another one',
	effect: 'once',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Travel Berlin',
			description: 'No two cards that are not archived may have the same name',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{
					name: 'Recurring',
					value: 'recurring',
					description: 'Serves many transactions',
				},
				{
					name: 'Single-Use',
					value: 'single-use',
					description: 'Serves one transaction; small authorizations up to 5 USD do not count',
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
