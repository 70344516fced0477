import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { toProperties } from './actions/properties';
import { router } from './actions/router';
import { RESOURCES } from './actions/table';
import { searchCards } from './methods/listSearch';
import { testApi } from './methods/testApi';

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Manage company cards, and read their transactions, events and payments',
		defaults: { name: 'Card Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cardPlatformApi', required: true, testedBy: 'testApi' }],
		// Of Card: Get Sensitive Details. n8n 2.41 defines this field but does not act on it yet; earlier
		// versions ignore it.
		sensitiveOutputFields: ['details'],
		properties: toProperties(RESOURCES, 'card'),
	};

	methods = { credentialTest: { testApi }, listSearch: { searchCards } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await router.call(this);
	}
}
