import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { findSecretProblem } from '../webhook/keys';

/** Tests the form of the signing secrets; whether they are right only a delivery can show. */
export async function testWebhookSecret(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = findSecretProblem(credential.data ?? {});
	if (problem !== undefined) return { status: 'Error', message: problem };
	return {
		status: 'OK',
		message: 'Format looks valid. The first delivery will confirm the secret.',
	};
}
