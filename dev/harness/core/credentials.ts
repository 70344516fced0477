import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

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
