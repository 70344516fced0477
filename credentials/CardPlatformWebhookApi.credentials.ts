import type { ICredentialType, INodeProperties } from 'n8n-workflow';

export class CardPlatformWebhookApi implements ICredentialType {
	name = 'cardPlatformWebhookApi';

	displayName = 'Card Platform Webhook API';

	icon = {
		light: 'file:../icons/cardPlatform.svg',
		dark: 'file:../icons/cardPlatform.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-card-platform/n8n-nodes-card-platform#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'From the dashboard (developer settings, webhooks tab). It is shown only once, when the endpoint is added or its secret is rotated.',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'During a rotation: the old secret. Deliveries signed with either secret are accepted. The old one is valid for 24 hours, so clear this field afterwards.',
		},
	];
}
