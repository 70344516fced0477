import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials.ts';
import { CardPlatformWebhookApi } from '../../credentials/CardPlatformWebhookApi.credentials.ts';

const types: ICredentialType[] = [new CardPlatformApi(), new CardPlatformWebhookApi()];

function typeOf(name: string): ICredentialType {
	const type = types.find((each) => each.name === name);
	if (type === undefined) throw new Error(`No credential type ${name}`);
	return type;
}

const hasUrl = (
	request: IHttpRequestOptions | IRequestOptionsSimplified,
): request is IHttpRequestOptions => 'url' in request;

/** n8n's part of handling credentials: plain data in, our own credential types do the rest. */
export class TestCredentialsHelper extends ICredentialsHelper {
	/** Times that credentials were asked for. */
	lookups = 0;

	private readonly data: Record<string, ICredentialDataDecryptedObject>;

	/** @param data the decrypted data of each credential type */
	constructor(data: Record<string, ICredentialDataDecryptedObject>) {
		super();
		this.data = data;
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = typeOf(typeName);
		if (typeof authenticate !== 'function' || !hasUrl(request)) throw new Error('not supported');
		return await authenticate(credentials, request);
	}

	override async preAuthentication(): Promise<undefined> {
		await Promise.resolve();
		return undefined;
	}

	override async runPreAuthentication(): Promise<undefined> {
		await Promise.resolve();
		return undefined;
	}

	override async getCredentials(): Promise<ICredentials> {
		return await Promise.reject(new Error('not supported'));
	}

	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject> {
		this.lookups++;
		return await Promise.resolve({ ...this.data[typeName] });
	}

	override async updateCredentials(): Promise<void> {
		await Promise.reject(new Error('not supported'));
	}

	override async updateCredentialsOauthTokenData(): Promise<void> {
		await Promise.reject(new Error('not supported'));
	}

	override getCredentialsProperties(name: string): INodeProperties[] {
		return typeOf(name).properties;
	}
}
