import 'reflect-metadata';
import './patientRegex.ts';

import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type ExecutionError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	type OnError,
	Workflow,
} from 'n8n-workflow';

import { CardPlatform } from '../../../nodes/CardPlatform/CardPlatform.node.ts';
import { CardPlatformPollingTrigger } from '../../../nodes/CardPlatform/CardPlatformPollingTrigger.node.ts';
import { CardPlatformTrigger } from '../../../nodes/CardPlatform/CardPlatformTrigger.node.ts';
import { createNode, type Credentials } from './credentials.ts';
import { TestCredentialsHelper } from './credentialsHelper.ts';

const refuse = async (): Promise<never> => await Promise.reject(new Error('not supported'));

/** Gives the items of a test to the node under test, as a real node before it would. */
class Items implements INodeType {
	description = {
		displayName: 'Items',
		name: 'items',
		group: ['input' as const],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await Promise.resolve([this.getInputData()]);
	}
}

const nodeTypes = new Map<string, INodeType>([
	['items', new Items()],
	['n8n-nodes-card-platform.cardPlatform', new CardPlatform()],
	['n8n-nodes-card-platform.cardPlatformPollingTrigger', new CardPlatformPollingTrigger()],
	['n8n-nodes-card-platform.cardPlatformTrigger', new CardPlatformTrigger()],
]);

const byName = (name: string): INodeType => {
	const nodeType = nodeTypes.get(name);
	if (nodeType === undefined) throw new Error(`No node type ${name}`);
	return nodeType;
};

/** The node types of the tests, as n8n looks them up. */
export const knownNodeTypes: INodeTypes = {
	getByName: byName,
	getByNameAndVersion: byName,
	getKnownTypes: () => ({}),
};

/** What n8n-core needs around a workflow; everything that no test uses refuses to work. */
export function createAdditionalData(
	credentials: Credentials,
): IWorkflowExecuteAdditionalData & { credentialsHelper: TestCredentialsHelper } {
	const url = 'http://127.0.0.1/';
	return {
		credentialsHelper: new TestCredentialsHelper(credentials),
		executionId: '1',
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		executeWorkflow: refuse,
		getRunExecutionData: refuse,
		getRuntimeCredential: refuse,
		startRunnerTask: refuse,
		logAiEvent: () => undefined,
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
	};
}

/** How the node under test runs. */
export interface RunOptions {
	parameters: INodeParameters;
	credentials: Credentials;
	/** JSON of the input items; one empty item by default. */
	items?: INodeExecutionData['json'][];
	onError?: OnError;
	/** Stops the execution, as the editor's button does, when it resolves. */
	stop?: Promise<void>;
}

/** What came of it. */
export interface RunResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** The error that stopped the workflow. */
	error: ExecutionError | undefined;
	/** All that n8n would store of the execution, as text. */
	stored: string;
	/** How often n8n decrypted a credential. */
	lookups: number;
}

/** Runs the action node in a real n8n-core execution, behind a node that gives it its items. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { parameters, credentials, items = [{}], onError } = options;
	const start: INode = {
		id: 'items-node',
		name: 'Items',
		type: 'items',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node = createNode('cardPlatform', parameters, { onError });
	const workflow = new Workflow({
		id: 'workflow-1',
		name: 'test',
		nodes: [start, node],
		connections: {
			[start.name]: { main: [[{ node: node.name, type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		active: false,
		nodeTypes: knownNodeTypes,
		settings: { timezone: 'Europe/Berlin' },
	});
	const additionalData = createAdditionalData(credentials);
	const workflowData = {
		id: workflow.id,
		name: 'test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [start, node],
		connections: {},
	};
	const input = items.map((json, item) => ({ json, pairedItem: { item } }));
	const runData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: start, data: { main: [input] }, source: null }],
		},
	});
	const execution = new WorkflowExecute(
		Object.assign(additionalData, {
			hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
		}),
		'manual',
		runData,
	);
	const running = execution.processRunExecutionData(workflow);
	void options.stop?.then(() => running.cancel());
	const run = await running;
	const taskData = run.data.resultData.runData[node.name]?.at(-1);
	const [main] = taskData?.data?.main ?? [];
	return {
		items: main ?? [],
		error: run.data.resultData.error,
		stored: JSON.stringify(run),
		lookups: additionalData.credentialsHelper.lookups,
	};
}
