import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';

import { findSecretProblem } from '../webhook/keys';

/**
 * Refuses to activate a trigger that could not verify anything, so that the person learns it now
 * and not when the first event is turned away.
 *
 * @returns true
 * @throws NodeOperationError where the credential has no usable signing secret
 */
export async function requireSecret(this: IHookFunctions): Promise<true> {
	const problem = findSecretProblem(await this.getCredentials('cardPlatformWebhookApi'));
	if (problem === undefined) return true;
	throw new NodeOperationError(this.getNode(), 'The webhook credential cannot verify deliveries', {
		description: problem,
	});
}
