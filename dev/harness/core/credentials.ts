import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

/** Credential data by credential type. */
export type Credentials = Record<string, ICredentialDataDecryptedObject>;

/** The credential of the action node for a server at `baseUrl`. */
export const credentialsFor = (baseUrl: string, more: Credentials[string] = {}) => ({
	cardPlatformApi: {
		baseUrl,
		apiKey: 'secret-key-1234',
		keyScope: 'account',
		accountId: '',
		readOnly: false,
		sensitiveDetails: true,
		advanced: true,
		parameterNames: '{}',
		...more,
	},
});

/** A node of ours, as a workflow holds it. */
export function createNode(
	type: 'cardPlatform' | 'cardPlatformPollingTrigger' | 'cardPlatformTrigger',
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	const credential = type === 'cardPlatformTrigger' ? 'cardPlatformWebhookApi' : 'cardPlatformApi';
	return {
		id: `${type}-node`,
		name: type,
		type: `n8n-nodes-card-platform.${type}`,
		typeVersion: type === 'cardPlatformTrigger' ? 2 : 1,
		position: [0, 0],
		parameters,
		credentials: { [credential]: { id: '1', name: 'test' } },
		...more,
	};
}
