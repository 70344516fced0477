import type { IHookFunctions } from 'n8n-workflow';

import { refuseAllAndOthers } from '../events/eventTypes';
import { isStarting, parseTriggerFilters, toActivationError } from '../events/triggerParameters';
import { parseOptions } from './fields';
import { checkSecrets } from './signingKeys';

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
		throw toActivationError(this.getNode(), error);
	}
}
