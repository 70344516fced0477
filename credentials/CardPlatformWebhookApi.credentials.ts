import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class CardPlatformWebhookApi implements ICredentialType {
	name = 'cardPlatformWebhookApi';

	displayName = 'Card Platform Webhook API';

	icon = {
		light: 'file:../icons/cardPlatform.svg',
		dark: 'file:../icons/cardPlatform.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-card-platform/n8n-nodes-card-platform/blob/main/docs/credentials.md';

	// Only the trigger gets it: a node that could send it anywhere, such as HTTP Request, does not.
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'The secret of the production URL. Every URL has its own: create a new credential for each trigger, and name it after its workflow.',
			description:
				'The dashboard shows it only once (developer settings, webhooks tab): when you add the endpoint, or rotate its secret',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Only during a rotation: the old secret. Clear this field after 24 hours.',
			description:
				'The trigger accepts both secrets. After a rotation, the old one is valid for 24 hours.',
		},
		{
			displayName: 'Test URL Signing Secret',
			name: 'testSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'For testing only: the secret of the test URL, a separate endpoint in the dashboard. Both URLs accept it, so clear it once the workflow is live.',
			description: 'Lets one credential serve both URLs of a trigger',
		},
	];

	// Not set: no request can show whether a secret is right, only a delivery can. n8n calls every
	// credential "tested successfully" whose test does not fail.
	test?: ICredentialTestRequest;
}
