import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testWebhookSecret } from './methods/credentialTest';
import { requireSecret } from './methods/requireSecret';
import { receive } from './webhook/receive';
import { triggerProperties } from './webhook/properties';

export class CardPlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Platform Trigger',
		name: 'cardPlatformTrigger',
		icon: {
			light: 'file:../../icons/cardPlatform.svg',
			dark: 'file:../../icons/cardPlatform.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: 'Card financial event',
		description: 'Starts the workflow when something happens on a company card',
		eventTriggerDescription: '',
		activationMessage:
			'Card events now reach this workflow, once its production URL is entered in the dashboard of the card platform.',
		defaults: { name: 'Card Platform Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'cardPlatformWebhookApi', required: true, testedBy: 'testWebhookSecret' },
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: 'noData',
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testWebhookSecret } };

	// The API has no endpoints for subscriptions (§6): a person enters the URL in the dashboard.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(false);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await requireSecret.call(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(true);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive.call(this);
	}
}
