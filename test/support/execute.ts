import {
	createRunExecutionData,
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IGetNodeParameterOptions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IRunExecutionData,
	isResourceLocatorValue,
	LoggerProxy,
	NodeApiError,
	type NodeExecutionHint,
	NodeHelpers,
	NodeOperationError,
	Workflow,
	WorkflowDataProxy,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { createNode, credentialsFor } from '../../dev/harness/core/credentials.ts';
import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import type { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { Api, createLimiter } from '../../nodes/CardPlatform/transport/client';
import { type FakeApi, fakeApi, type Respond } from './fakeApi';

/** An execution, as n8n keeps it between runs of a node and hands it to a retry. */
export interface Execution {
	id: string;
	mode: WorkflowExecuteMode;
	data: IRunExecutionData;
}

/** Fakes the clock for each test of a file: waits cost nothing, and last exactly as long as asked. */
export function useFakeClock(): void {
	beforeEach(() => {
		jest.useFakeTimers({
			now: Date.UTC(2026, 10, 21, 12),
			doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'hrtime'],
		});
		// No jitter: a wait is as long as it can be.
		jest.spyOn(Math, 'random').mockReturnValue(1);
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}

/** Starts an execution. */
export const newExecution = (id = '1', mode: WorkflowExecuteMode = 'trigger'): Execution => ({
	id,
	mode,
	data: createRunExecutionData({}),
});

/** Starts a retry of an execution from the editor: with its data, under another ID. */
export const retryOf = ({ data }: Execution, id = '2'): Execution => ({
	id,
	mode: 'retry',
	data: structuredClone(data),
});

/** Where and how the node runs; by default on the main path of a new execution. */
export interface ExecuteOptions {
	/** JSON of the input items; one empty item by default. */
	items?: IDataObject[];
	/** Fields of the credential. */
	credential?: ICredentialDataDecryptedObject;
	execution?: Execution;
	runIndex?: number;
	/** The node before it, with an item for each of this node's. */
	before?: { name: string; items: IDataObject[] };
	/** Settings of the node. */
	node?: Partial<INode>;
	/** Members of the context that differ. */
	context?: object;
	/** Members of the context that an earlier n8n does not have. */
	without?: string[];
	signal?: AbortSignal;
	workflowId?: string;
	/** Of what runs; by default, the action node or its tool. */
	nodeType?: INodeType & Pick<CardPlatform, 'execute'>;
}

const actionType = new CardPlatform();
/** As n8n makes it: some fields are shown for tools only. */
const toolType: INodeType = new CardPlatform();
toolType.description.name += 'Tool';

const credentialOf = ({ baseUrl }: FakeApi, more: ICredentialDataDecryptedObject = {}) =>
	credentialsFor(baseUrl, { keyScope: 'customer', accountId: '1001', ...more }).cardPlatformApi;

/** How a context of n8n gives this credential. */
const givesCredential = (credential: ICredentialDataDecryptedObject) => async (type: string) =>
	await Promise.resolve(type === 'cardPlatformApi' ? credential : {});

/** The helpers that call the API: with n8n's part, which lets the credential sign the request. */
const helpersFor = (api: FakeApi) => ({
	async httpRequestWithAuthentication(
		_type: string,
		options: IHttpRequestOptions,
		{ credentialsDecrypted }: IAdditionalCredentialOptions = {},
	) {
		const signed = await new CardPlatformApi().authenticate(
			credentialsDecrypted?.data ?? {},
			options,
		);
		try {
			return await api.send(signed);
		} catch (cause) {
			throw new Error('n8n wraps what a request throws', { cause });
		}
	},
});

/** What n8n hands to the node. */
export function createContext(api: FakeApi, parameters: INodeParameters, options: ExecuteOptions) {
	const { execution = newExecution(), runIndex = 0 } = options;
	const { data, mode } = execution;
	const input = (options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }));
	const node = createNode('cardPlatform', parameters, {
		name: 'Card Platform',
		...options.node,
	});
	const type = options.nodeType ?? (node.type.endsWith('Tool') ? toolType : actionType);
	const getType = () => type;
	const { before } = options;
	if (before) {
		const main = [before.items.map((json) => ({ json, pairedItem: { item: 0 } }))];
		const run = { startTime: 0, executionIndex: 0, executionTime: 0, source: [], data: { main } };
		data.resultData.runData[before.name] = [run];
	}
	const workflow = new Workflow({
		id: options.workflowId ?? `workflow of ${api.baseUrl}`,
		nodes: before ? [createNode('cardPlatform', {}, { name: before.name }), node] : [node],
		connections: before
			? { [before.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } }
			: {},
		active: false,
		nodeTypes: {
			getByName: getType,
			getByNameAndVersion: getType,
			getKnownTypes: () => ({}),
		},
		settings: { timezone: 'Europe/Berlin' },
	});
	const source = before ? { main: [{ previousNode: before.name }] } : null;
	const executeData = { node, data: { main: [input] }, source };
	const credential = credentialOf(api, options.credential);
	const evaluate = (value: INodeParameters[string], index: number) =>
		workflow.expression.getParameterValue(
			value,
			data,
			runIndex,
			index,
			node.name,
			input,
			mode,
			{},
			executeData,
		);

	const context = {
		addExecutionHints: () => undefined,
		continueOnFail: () => node.onError?.startsWith('continue') ?? false,
		evaluateExpression: (expression: string, index: number) => evaluate(`=${expression}`, index),
		getContext: (type: string) => NodeHelpers.getContext(data, type, node),
		getCredentials: givesCredential(credential),
		getExecuteData: () => executeData,
		getExecutionCancelSignal: () => options.signal,
		getExecutionId: () => execution.id,
		getInputData: () => input,
		getMode: () => mode,
		getNode: () => structuredClone(node),
		getNodeParameter(
			name: string,
			index: number,
			fallback?: unknown,
			{ extractValue = false }: IGetNodeParameterOptions = {},
		): unknown {
			const raw = node.parameters[name];
			if (raw === undefined && fallback === undefined) {
				throw new Error(`Could not get parameter "${name}"`);
			}
			const value = raw === undefined ? fallback : evaluate(raw, index);
			return extractValue && isResourceLocatorValue(value) ? value.value : value;
		},
		getTimezone: () => workflow.timezone,
		getWorkflowDataProxy: (index: number) =>
			new WorkflowDataProxy(
				workflow,
				data,
				runIndex,
				index,
				node.name,
				input,
				{},
				mode,
				{},
				executeData,
			).getDataProxy(),
		helpers: helpersFor(api),
		logger: LoggerProxy,
		...options.context,
	};
	for (const name of options.without ?? []) Reflect.deleteProperty(context, name);
	return context as unknown as IExecuteFunctions;
}

/**
 * Runs a node in a context of the test's own: n8n's expressions and the shipped code, but no
 * engine, no HTTP and no time that passes. Needs jest's fake timers. Gives its items, also as JSON only, or the error
 * that stopped the execution.
 */
export async function execute(
	api: FakeApi,
	parameters: INodeParameters,
	options: ExecuteOptions = {},
) {
	const context = createContext(api, parameters, options);
	const nodeType = options.nodeType ?? actionType;
	const running = nodeType.execute.call(context).then(
		([items = []]) => ({ items, json: items.map(({ json }) => json), error: undefined }),
		(error: unknown) => {
			if (error instanceof NodeApiError || error instanceof NodeOperationError) {
				return { items: [], json: [], error };
			}
			throw error;
		},
	);
	await jest.runAllTimersAsync();
	const result = await Promise.race([running, Promise.resolve(undefined)]);
	if (result === undefined) throw new Error('The node waits for what never comes');
	return result;
}

/**
 * Runs an operation, and shows what went on the wire and above the output.
 *
 * @param body the body of each response, or what responds
 */
export async function send(
	parameters: INodeParameters,
	body?: unknown,
	options: ExecuteOptions = {},
) {
	// What is not a function is the first page, and the only one.
	const single: Respond = ({ query }) => ({ body: Number(query.page ?? 1) > 1 ? [] : body });
	const api = fakeApi(typeof body === 'function' ? (body as Respond) : single);
	const hints: NodeExecutionHint[] = [];
	const addExecutionHints = (...more: NodeExecutionHint[]) => hints.push(...more);
	const context = { addExecutionHints, ...options.context };
	const result = await execute(api, parameters, { ...options, context });
	const sent = api.requests.map(({ method, path, query, body: written }) => ({
		method,
		path,
		query,
		...(written !== undefined && { body: written }),
	}));
	return { ...result, sent, requests: api.requests, hints };
}

/** Runs an operation that fails before it sends anything; gives the error, whose message has some words. */
export async function expectRefused(
	parameters: INodeParameters,
	words: string | RegExp,
	options: ExecuteOptions = {},
) {
	const { error, sent } = await send(parameters, [], options);
	expect(error).toMatchObject({
		message:
			typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
		context: { itemIndex: 0 },
	});
	expect(sent).toEqual([]);
	return error;
}

/** The API as the nodes read it. */
export function apiOf(api: FakeApi): Api {
	const context = createContext(api, {}, {});
	const config = readApiConfig(credentialOf(api));
	return new Api(context, config, 'read', createLimiter(context, config, 'execution'));
}

function formOf(
	api: FakeApi,
	credential?: ICredentialDataDecryptedObject,
	parameters: INodeParameters = {},
): ILoadOptionsFunctions {
	const context = {
		getCredentials: givesCredential(credentialOf(api, credential)),
		getCurrentNodeParameter: (name: string) => parameters[name],
		getNode: () => createNode('cardPlatform', {}),
		getTimezone: () => 'Europe/Berlin',
		helpers: helpersFor(api),
	};
	return context as unknown as ILoadOptionsFunctions;
}

const searchWith =
	(method: 'searchCards' | 'searchTransactions') =>
	async (
		api: FakeApi,
		filter?: string,
		credential?: ICredentialDataDecryptedObject,
		parameters?: INodeParameters,
	) => {
		const { [method]: search } = new CardPlatform().methods.listSearch;
		return await search.call(formOf(api, credential, parameters), filter);
	};

/** Lists the cards for the filter of a node. */
export const listCards = async (
	api: FakeApi,
	{ methods }: Pick<CardPlatformPollingTrigger, 'methods'>,
) => await methods.loadOptions.getCards.call(formOf(api));

/** Runs the search of the card picker. */
export const searchCards = searchWith('searchCards');

/** Runs the search of the transaction picker. */
export const searchTransactions = searchWith('searchTransactions');
