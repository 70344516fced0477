import {
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardPlatformApi } from '../../../credentials/CardPlatformApi.credentials.ts';
import { CardPlatformWebhookApi } from '../../../credentials/CardPlatformWebhookApi.credentials.ts';

const types: ICredentialType[] = [new CardPlatformApi(), new CardPlatformWebhookApi()];

function typeOf(name: string): ICredentialType {
	const type = types.find((each) => each.name === name);
	if (type === undefined) throw new Error(`No credential type ${name}`);
	return type;
}

const refuse = async (): Promise<never> => await Promise.reject(new Error('not supported'));

const hasUrl = (
	request: IHttpRequestOptions | IRequestOptionsSimplified,
): request is IHttpRequestOptions => 'url' in request;

/** n8n's part of handling credentials: plain data in, our own credential types do the rest. */
export class TestCredentialsHelper extends ICredentialsHelper {
	/** How often credentials were read. */
	lookups = 0;

	private readonly data: Record<string, ICredentialDataDecryptedObject>;

	/** @param data the decrypted data of each credential type */
	constructor(data: Record<string, ICredentialDataDecryptedObject>) {
		super();
		this.data = data;
	}

	override getParentTypes = () => [];

	override isCredentialUsableByNode = () => true;

	override preAuthentication = async () => await Promise.resolve(undefined);

	override runPreAuthentication = async () => await Promise.resolve(undefined);

	override getCredentials = refuse;

	override updateCredentials = refuse;

	override updateCredentialsOauthTokenData = refuse;

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = typeOf(typeName);
		if (typeof authenticate !== 'function' || !hasUrl(request)) throw new Error('not supported');
		return await authenticate(credentials, request);
	}

	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.lookups++;
		const data = { ...this.data[typeName] };
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
	}

	override getCredentialsProperties(name: string): INodeProperties[] {
		return typeOf(name).properties;
	}
}
