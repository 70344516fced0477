import type { IHookFunctions } from 'n8n-workflow';

import { refuseAllAndOthers } from '../events/eventTypes';
import { isStarting, parseTriggerFilters } from '../events/triggerParameters';
import { toNodeError } from '../toNodeError';
import { parseOptions } from '../webhook/properties';
import { checkSecrets } from '../webhook/signingKeys';

/**
 * Refuses to activate a trigger that could not verify anything, or whose fields hold wrong values,
 * so that the person sees it now and not when the first event is rejected.
 *
 * @returns true
 * @throws NodeOperationError that says what to correct
 */
export async function validateTrigger(this: IHookFunctions): Promise<true> {
	try {
		const credential = await this.getCredentials('cardPlatformWebhookApi');
		checkSecrets(credential, this.getMode() === 'manual');
		const events = this.getNodeParameter('events');
		const { everyApproval } = parseOptions(this.getNodeParameter('options', {}));
		parseTriggerFilters(this.getNodeParameter('filters', {}), events, everyApproval);
		if (!isStarting(this.getActivationMode())) refuseAllAndOthers(events);
		return true;
	} catch (error) {
		const nodeError = toNodeError(this.getNode(), error);
		// n8n shows only the message when a workflow cannot be published.
		if (typeof nodeError.description === 'string') {
			nodeError.message = `${nodeError.message}. ${nodeError.description}`;
		}
		throw nodeError;
	}
}
