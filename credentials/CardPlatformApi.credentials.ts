import type {
	ICredentialDataDecryptedObject,
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
		'https://github.com/n8n-nodes-card-platform/n8n-nodes-card-platform/blob/main/docs/credentials.md';

	// A hint is always visible; a description only when the mouse is over the name of the field.
	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1/public',
			description:
				'Sandbox: http://localhost:4010/v1/public, or http://host.docker.internal:4010/v1/public if n8n runs in Docker',
			hint: 'From your provider; usually ends in /v1/public. Use https.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: 'The dashboard shows it only once (developer settings, API tab). A new key stops the old one at once, so enter it in every credential that has the old one.',
		},
		{
			displayName: 'Key Scope',
			name: 'keyScope',
			type: 'options',
			options: [
				{ name: 'Account', value: 'account' },
				{ name: 'Customer', value: 'customer' },
			],
			default: 'account',
			hint: 'Account: the key covers one account. Customer: it covers all accounts, and can rename them and move money.',
		},
		{
			displayName: 'Default Account ID',
			name: 'accountId',
			type: 'string',
			displayOptions: { show: { keyScope: ['customer'] } },
			default: '',
			// n8n does not save the credential without it; otherwise Payment: Get Many fails much later.
			required: true,
			placeholder: 'e.g. 1001',
			hint: 'Payment: Get Many lists this account by default. Ask your provider for its number; the sandbox shows it under Accounts.',
		},
		{
			displayName: 'Read Only',
			name: 'readOnly',
			type: 'boolean',
			default: false,
			description: 'Whether nodes can only read with this credential, including HTTP Request nodes',
			hint: 'Blocks every change before it is sent. Recommended for reports and AI agents.',
		},
		{
			displayName: 'Allow Sensitive Details',
			name: 'sensitiveDetails',
			type: 'boolean',
			default: false,
			description: 'Whether to allow Card: Get Sensitive Details',
			hint: 'Allows looking up full card numbers. Leave it off unless you need them.',
		},
		{
			displayName: 'Advanced',
			name: 'advanced',
			type: 'boolean',
			default: false,
			description:
				'Whether to change the number of concurrent requests or the names of query parameters. Off: the defaults apply.',
			hint: 'Leave it off unless Connection: Test API or an error says otherwise',
		},
		{
			displayName: 'Parameter Names',
			name: 'parameterNames',
			type: 'json',
			displayOptions: { show: { advanced: [true] } },
			default: '{}',
			description:
				'A JSON object. The nodes leave out a parameter whose name is empty, but accountId needs a name.',
			hint: 'Renames query parameters that the nodes send, e.g. {"pageSize": "page_size"}. Connection: Test API says which names your API needs.',
		},
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			displayOptions: { show: { advanced: [true] } },
			typeOptions: { minValue: 1, maxValue: MAX_CONCURRENT_REQUESTS, numberPrecision: 0 },
			default: DEFAULT_CONCURRENT_REQUESTS,
			description:
				'How many requests a node sends at the same time, at most. It always sends renames, transfers, creates and updates one by one.',
			hint: 'Applies to each node run separately',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authorize(credentials, requestOptions);
	}
}
