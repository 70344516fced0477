import { type Field, locatorValue } from '../api/field';
import { toUuid, UUID } from '../api/values';

/** How many records a picker searches each time the list opens. */
export const MAX_PICKED_RECORDS = 1_000;

/** A record that is picked from a list or given by its ID. */
export const recordPicker = (
	noun: 'card' | 'transaction',
	searchListMethod: 'searchCards' | 'searchTransactions',
	field: { displayName: string; name: string; description: string },
): Field<string> => ({
	...field,
	parse: (value, label) => toUuid(locatorValue(value), label),
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	builderHint: {
		propertyHint: `Required, although the type says optional. For the ${noun} of an event, use mode "id" with expr("{{ $json.${field.name} }}").`,
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select a ${noun}...`,
			typeOptions: {
				searchListMethod,
				searchable: true,
				slowLoadNotice: {
					message: `This list has at most ${MAX_PICKED_RECORDS.toLocaleString('en')} ${noun}s. For another one, choose "By ID".`,
					timeout: 3_000,
				},
			},
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^\\s*${UUID}\\s*$`,
						errorMessage: `A ${noun} ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10`,
					},
				},
			],
		},
	],
});

export const cardId = recordPicker('card', 'searchCards', {
	displayName: 'Card',
	name: 'cardId',
	description: 'The card whose events to get',
});

/** The same, described by what the operation does to the card, e.g. "freeze". */
export const cardTo = (verb: string) => ({ ...cardId, description: `The card to ${verb}` });

/**
 * The filter on a card. Neither required nor validated by the form: of a field in a collection, n8n would check the
 * field "cardId" outside of it. The run checks both.
 */
export const cardIdFilter: Field<string> = {
	...cardId,
	required: false,
	builderHint: undefined,
	description: 'Return only results for this card',
	modes: cardId.modes?.map((mode) => ({ ...mode, validation: undefined })),
};
