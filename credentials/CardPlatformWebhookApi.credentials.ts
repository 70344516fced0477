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
				'From the dashboard, under developer settings, webhooks tab. It is shown once, when the endpoint is added or its secret rotated.',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'While a rotation is under way: the secret from before. Deliveries signed with either are accepted; the old one is valid for 24 hours, so empty this field afterwards.',
		},
	];
}
