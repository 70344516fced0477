import type { Credentials } from './n8n';

/** The credential of the action node for a server of a test's own. */
export const credentialsFor = (baseUrl: string, more: Credentials[string] = {}): Credentials => ({
	cardPlatformApi: {
		baseUrl,
		apiKey: 'secret-key-1234',
		keyScope: 'account',
		accountId: '',
		readOnly: false,
		sensitiveDetails: true,
		parameterNames: '{}',
		...more,
	},
});
