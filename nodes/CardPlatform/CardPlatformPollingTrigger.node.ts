import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { getCards } from './actions/listSearch';
import { PURCHASE_HINT } from './events/fields';
import { ACTIVATION_MESSAGE, pollingSubtitle, triggerPanel } from './polling/editorText';
import { startExecution } from './polling/execute';
import { pollingProperties } from './polling/fields';
import { runPoll } from './polling/runPoll';
import { testCredential } from './transport/credentialTest';

export class CardPlatformPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Platform Polling Trigger',
		name: 'cardPlatformPollingTrigger',
		icon: {
			light: 'file:../../icons/cardPlatform.svg',
			dark: 'file:../../icons/cardPlatform.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		polling: true,
		subtitle: pollingSubtitle,
		description:
			'Starts the workflow on card events, settled transactions, frozen cards, due bills or low credit, without a webhook',
		activationMessage: ACTIVATION_MESSAGE,
		triggerPanel,
		defaults: { name: 'Card Platform Polling Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cardPlatformApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint: `Needs only an API credential; Watch chooses card events, or changes that no event reports: a settled transaction, a frozen card, a payment that is due, low credit. One Execution per Event starts the workflow for each event; without it, all events of a poll are items of one execution. ${PURCHASE_HINT}`,
		},
		properties: pollingProperties,
	};

	methods = { credentialTest: { testCredential }, loadOptions: { getCards } };

	poll = runPoll;

	// The first step of an execution; in a manual run, n8n calls it in place of poll().
	execute = startExecution;
}
