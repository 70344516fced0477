import type { IHookFunctions } from 'n8n-workflow';

import { UserError } from '../api/userError';
import { toNodeError } from '../toNodeError';
import { findSecretProblem } from '../webhook/keys';
import { parseFilters, parseOptions } from '../webhook/properties';

/**
 * Refuses to activate a trigger that could not verify anything, or whose fields hold wrong values,
 * so that the person learns it now and not when the first event is turned away.
 *
 * @returns true
 * @throws NodeOperationError that says what to correct
 */
export async function validateTrigger(this: IHookFunctions): Promise<true> {
	try {
		const problem = findSecretProblem(await this.getCredentials('cardPlatformWebhookApi'));
		if (problem !== undefined) {
			throw new UserError('The webhook credential cannot verify deliveries', problem);
		}
		parseFilters(this.getNodeParameter('filters', {}), this.getNodeParameter('events'));
		parseOptions(this.getNodeParameter('options', {}));
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
