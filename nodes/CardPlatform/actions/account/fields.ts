import type { INodeProperties } from 'n8n-workflow';

/** The account that an operation works on; there is no list of accounts to pick from (§4). */
export const accountId = (displayName: string, description: string): INodeProperties => ({
	displayName,
	name: 'accountId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1001',
	description,
});
