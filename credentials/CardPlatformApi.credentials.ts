import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { DEFAULT_CONCURRENT_REQUESTS } from '../nodes/CardPlatform/api/assumptions';
import { MAX_CONCURRENT_REQUESTS } from '../nodes/CardPlatform/api/config';
import { authorize } from '../nodes/CardPlatform/transport/authorize';

export class CardPlatformApi implements ICredentialType {
	name = 'cardPlatformApi';

	displayName = 'Card Platform API';

	icon = {
		light: 'file:../icons/cardPlatform.svg',
		dark: 'file:../icons/cardPlatform.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-card-platform/n8n-nodes-card-platform#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1/public',
			description:
				'Address of the API, with its path prefix. Must be https; http works for an API on this machine only, such as the sandbox (http://localhost:4010/v1/public).',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'From the dashboard, under developer settings, API tab. It is shown once, when it is generated; generating a new one makes the old one invalid at once.',
		},
		{
			displayName: 'Key Scope',
			name: 'keyScope',
			type: 'options',
			options: [
				{
					name: 'Account',
					value: 'account',
					description: 'The key is for one account',
				},
				{
					name: 'Customer',
					value: 'customer',
					description: 'The key is for all accounts of a customer, and can rename and fund them',
				},
			],
			default: 'account',
			description: 'What the key was generated for',
		},
		{
			displayName: 'Default Account ID',
			name: 'accountId',
			type: 'string',
			displayOptions: { show: { keyScope: ['customer'] } },
			default: '',
			placeholder: 'e.g. 1001',
			description:
				'The account whose payments are listed unless the node names another. A customer-scoped key has to name one.',
		},
		{
			displayName: 'Read Only',
			name: 'readOnly',
			type: 'boolean',
			default: false,
			description:
				'Whether to refuse everything but reading (GET and HEAD) before it is sent, also where an HTTP Request node uses this credential. Recommended for AI agents and for reports.',
		},
		{
			displayName: 'Allow Sensitive Details',
			name: 'sensitiveDetails',
			type: 'boolean',
			default: false,
			description:
				'Whether Card: Get Sensitive Details may be used. It returns what is needed to look up a card number.',
		},
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_CONCURRENT_REQUESTS, numberPrecision: 0 },
			default: DEFAULT_CONCURRENT_REQUESTS,
			description:
				'Limits the requests of one node run; concurrent runs add up. After a 429, sends one request at a time and honours Retry-After. Transfers, creating and updating always go one by one.',
		},
		{
			displayName: 'Parameter Names',
			name: 'parameterNames',
			type: 'json',
			default: '{}',
			description:
				'Only if the API calls a query parameter by another name than this node expects: a JSON object such as {"pageSize": "page_size"}. An empty name means that the parameter is never sent.',
		},
	];

	test: ICredentialTestRequest = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '/health' },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The API did not accept the key. Only the newest key works: generate one in the dashboard (developer settings, API tab) and paste it here.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The API accepted the key, but does not let it in. Ask your provider what it may do.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'Something answers at the Base URL, but not this API. Check that it includes the path prefix, usually /v1/public.',
				},
			},
		],
	};

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authorize(credentials, requestOptions);
	}
}
