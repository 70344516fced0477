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
				'Address of the API, including its path prefix. Must use https; http is allowed only for an API on this machine, such as the sandbox (http://localhost:4010/v1/public).',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'From the dashboard (developer settings, API tab). It is shown only once, when it is generated. Generating a new key invalidates the old one immediately.',
		},
		{
			displayName: 'Key Scope',
			name: 'keyScope',
			type: 'options',
			options: [
				{
					name: 'Account',
					value: 'account',
					description: 'Covers one account',
				},
				{
					name: 'Customer',
					value: 'customer',
					description:
						'Covers all accounts of a customer; can rename them and move money between them',
				},
			],
			default: 'account',
			description: 'Which accounts the key covers',
		},
		{
			displayName: 'Default Account ID',
			name: 'accountId',
			type: 'string',
			displayOptions: { show: { keyScope: ['customer'] } },
			default: '',
			placeholder: 'e.g. 1001',
			description:
				'The account whose payments are listed if the node does not set one. With a customer-scoped key, an account is required.',
		},
		{
			displayName: 'Read Only',
			name: 'readOnly',
			type: 'boolean',
			default: false,
			description:
				'Whether to block every request other than GET and HEAD before it is sent, including those of an HTTP Request node that uses this credential. Recommended for AI agents and reports.',
		},
		{
			displayName: 'Allow Sensitive Details',
			name: 'sensitiveDetails',
			type: 'boolean',
			default: false,
			description:
				'Whether to allow Card: Get Sensitive Details. It returns what is needed to look up a full card number.',
		},
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_CONCURRENT_REQUESTS, numberPrecision: 0 },
			default: DEFAULT_CONCURRENT_REQUESTS,
			description:
				'Limits the requests of one node run; concurrent runs add up. After a 429, sends one request at a time and honors Retry-After. Renames, transfers, creates and updates are always sent one by one.',
		},
		{
			displayName: 'Parameter Names',
			name: 'parameterNames',
			type: 'json',
			default: '{}',
			description:
				'Only needed if the API uses another name for a query parameter than this node: a JSON object such as {"pageSize": "page_size"}. A parameter with an empty name is never sent.',
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
						'The API rejected the key. Only the newest key works: generate one in the dashboard (developer settings, API tab) and paste it here.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The API accepted the key but denied access. Ask your provider what this key may do.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'A server responds at the Base URL, but it is not this API. Make sure that the Base URL includes the path prefix, usually /v1/public.',
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
