import { ExecuteContext, LoadOptionsContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IRunExecutionData,
	NodeApiError,
	NodeOperationError,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import {
	createNode,
	type Credentials,
	credentialsFor,
} from '../../dev/harness/core/credentials.ts';
import { createAdditionalData } from '../../dev/harness/core/runNode.ts';
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
			// n8n-core has an interval that never ends.
			doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'hrtime', 'setInterval'],
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
	signal?: AbortSignal;
	workflowId?: string;
	/** Of what runs; by default, the action node or its tool. */
	nodeType?: INodeType & Pick<CardPlatform, 'execute'>;
}

const actionType = new CardPlatform();
/** As n8n makes it: some fields are shown for tools only. */
const toolType: INodeType = new CardPlatform();
toolType.description.name += 'Tool';

const credentialsOf = (
	{ baseUrl }: FakeApi,
	more: ICredentialDataDecryptedObject = {},
): Credentials => credentialsFor(baseUrl, { keyScope: 'customer', accountId: '1001', ...more });

/** How n8n sends a request: the credential signs it, and what it throws is wrapped. */
const sendWith =
	(api: FakeApi) =>
	async (
		_type: string,
		options: IHttpRequestOptions,
		{ credentialsDecrypted }: IAdditionalCredentialOptions = {},
	) => {
		const credential = credentialsDecrypted?.data ?? {};
		const signed = await new CardPlatformApi().authenticate(credential, options);
		try {
			return await api.send(signed);
		} catch (cause) {
			throw new Error('n8n wraps what a request throws', { cause });
		}
	};

/** n8n-core's own context, but for the API, and for what a test changes. */
export function createContext(api: FakeApi, parameters: INodeParameters, options: ExecuteOptions) {
	const { execution = newExecution(), before, signal } = options;
	const { data, mode } = execution;
	const input = (options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }));
	const node = createNode('cardPlatform', parameters, {
		name: 'Card Platform',
		...options.node,
	});
	const type = options.nodeType ?? (node.type.endsWith('Tool') ? toolType : actionType);
	const getType = () => type;
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
		nodeTypes: { getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) },
		settings: { timezone: 'Europe/Berlin' },
	});
	const additionalData = createAdditionalData(credentialsOf(api, options.credential));
	const source = before ? { main: [{ previousNode: before.name }] } : null;
	const inputData = { main: [input] };
	const context = new ExecuteContext(
		workflow,
		node,
		Object.assign(additionalData, { executionId: execution.id }),
		mode,
		data,
		options.runIndex ?? 0,
		input,
		inputData,
		{ node, data: inputData, source },
		[],
		signal,
	);
	context.helpers.httpRequestWithAuthentication = sendWith(api);
	return Object.assign(context, options.context);
}

/**
 * Runs a node without n8n's engine, without HTTP, and with no time that passes. Needs jest's fake timers. Gives its
 * items, also as JSON only, or the error that stopped the execution; and what is shown above the output.
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
	return { ...result, hints: context.hints };
}

/**
 * Runs an operation, and shows what went on the wire.
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
	const result = await execute(api, parameters, options);
	const sent = api.requests.map(({ method, path, query, body: written }) => ({
		method,
		path,
		query,
		...(written !== undefined && { body: written }),
	}));
	return { ...result, sent, requests: api.requests };
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
	const config = readApiConfig(credentialsOf(api).cardPlatformApi ?? {});
	return new Api(context, config, 'read', createLimiter(context, config, 'execution'));
}

function formOf(
	api: FakeApi,
	credential?: ICredentialDataDecryptedObject,
	currentNodeParameters: INodeParameters = {},
): LoadOptionsContext {
	const { workflow, node } = createContext(api, {}, {});
	const additionalData = createAdditionalData(credentialsOf(api, credential));
	const form = Object.assign(additionalData, { currentNodeParameters });
	const context = new LoadOptionsContext(workflow, node, form, '');
	context.helpers.httpRequestWithAuthentication = sendWith(api);
	return context;
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
