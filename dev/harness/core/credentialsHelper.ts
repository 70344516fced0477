import type { ICredentialsHelper, ICredentialType } from 'n8n-workflow';

import { CardPlatformApi } from '../../../credentials/CardPlatformApi.credentials.ts';
import { CardPlatformWebhookApi } from '../../../credentials/CardPlatformWebhookApi.credentials.ts';
import type { Credentials } from './credentials.ts';

const types: ICredentialType[] = [new CardPlatformApi(), new CardPlatformWebhookApi()];

function typeOf(name: string): ICredentialType {
	const type = types.find((each) => each.name === name);
	if (type === undefined) throw new Error(`No credential type ${name}`);
	return type;
}

/**
 * The part of n8n's handling of credentials that tests use: plain data in, our own credential types do the rest.
 *
 * @param decrypted the data of each credential type
 */
export function createCredentialsHelper(decrypted: Credentials) {
	const helper = {
		/** How often credentials were read. */
		lookups: 0,
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => await Promise.resolve(undefined),
		getCredentialsProperties: (name) => typeOf(name).properties,
		async authenticate(credentials, typeName, request) {
			const { authenticate } = typeOf(typeName);
			if (typeof authenticate !== 'function' || !('url' in request)) {
				throw new Error('not supported');
			}
			return await authenticate(credentials, request);
		},
		async getDecrypted(_data, _details, typeName, mode, executeData, _raw, values) {
			helper.lookups++;
			const data = { ...decrypted[typeName] };
			for (const [name, field] of Object.entries(data)) {
				if (values === undefined || typeof field !== 'string') continue;
				const value = values.workflow.expression.getParameterValue(
					field,
					values.runExecutionData,
					values.runIndex,
					values.itemIndex,
					values.node.name,
					values.connectionInputData,
					mode,
					{},
					executeData,
				);
				data[name] = typeof value === 'string' ? value : '';
			}
			return await Promise.resolve(data);
		},
	} satisfies Partial<ICredentialsHelper> & { lookups: number };
	return helper;
}
