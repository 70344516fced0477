import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { PURCHASE_HINT, triggerSubtitle } from './events/fields';
import { ACTIVATION_MESSAGE, EVENT_TRIGGER_DESCRIPTION, triggerPanel } from './webhook/editorText';
import { RESPOND_AT_THE_END, responseMode, triggerProperties } from './webhook/properties';
import { dropDuplicates, receive, validateTrigger } from './webhook/receive';

export class CardPlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Platform Trigger',
		name: 'cardPlatformTrigger',
		icon: {
			light: 'file:../../icons/cardPlatform.svg',
			dark: 'file:../../icons/cardPlatform.dark.svg',
		},
		group: ['trigger'],
		// Not 1: for each request to a webhook node of version 1, n8n evaluates options.binaryData
		// (parseRequestBody in webhook-helpers) before it calls the node. That takes 20 to 50 ms.
		version: 2,
		subtitle: triggerSubtitle,
		description: 'Manage company cards, and start workflows on purchases, declines and refunds',
		eventTriggerDescription: EVENT_TRIGGER_DESCRIPTION,
		activationMessage: ACTIVATION_MESSAGE,
		triggerPanel,
		defaults: { name: 'Card Platform Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cardPlatformWebhookApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				...responseMode,
				responseData: 'noData',
			},
		],
		hints: [
			{
				message:
					'The card platform waits until the workflow ends. If the workflow pauses (for a person’s answer, or a Wait of 65 seconds or more), n8n confirms the event there. If a later step fails, the platform does not deliver it again.',
				type: 'warning',
				location: 'outputPane',
				whenToDisplay: 'always',
				displayCondition: `={{ $parameter.responseMode === "${RESPOND_AT_THE_END}" }}`,
			},
		],
		builderHint: {
			searchHint: `Needs a public address of n8n and a new credential with the signing secret of its URL. ${PURCHASE_HINT}`,
		},
		properties: triggerProperties,
	};

	// The API has no endpoints for subscriptions (§6): a person enters the URL in the dashboard.
	webhookMethods = {
		default: {
			checkExists: async () => await Promise.resolve(false),
			create: async function (this: IHookFunctions) {
				return await validateTrigger.call(this);
			},
			delete: async () => await Promise.resolve(true),
		},
	};

	webhook = receive;

	// n8n runs it as the first step of an execution that a delivery has started.
	execute = dropDuplicates;
}
