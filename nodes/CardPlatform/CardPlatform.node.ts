import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { getCards, searchCards, searchTransactions } from './actions/listSearch';
import { toProperties, toTypeHints } from './actions/properties';
import { router } from './actions/router';
import { RESOURCES } from './actions/table';
import { testCredential } from './transport/credentialTest';

export class CardPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Platform',
		name: 'cardPlatform',
		icon: {
			light: 'file:../../icons/cardPlatform.svg',
			dark: 'file:../../icons/cardPlatform.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// Such as Get Many: Card Event. The values of all others are their names in camel case.
		subtitle:
			'={{ ($parameter.operation + ": " + $parameter.resource).replace("getAll", "getMany").replace(/[A-Z]/g, " $&").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()) }}',
		description: 'Manage company cards, and read transactions, events and payments',
		defaults: { name: 'Card Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cardPlatformApi', required: true, testedBy: 'testCredential' }],
		// Of Card: Get Sensitive Details. n8n 2.41 defines this field but does not act on it yet; earlier
		// versions ignore it.
		sensitiveOutputFields: ['details'],
		builderHint: {
			searchHint:
				'For lists, reports and AI agents, use a credential with Read Only on. Only what freezes, changes or pays needs another. Events of the Card Platform triggers have cardId, transactionId and amount, a decimal string.',
			extraTypeDefContent: toTypeHints(RESOURCES),
		},
		properties: toProperties(RESOURCES, 'card'),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchCards, searchTransactions },
		loadOptions: { getCards },
	};

	execute = router;
}
