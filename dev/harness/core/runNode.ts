import 'reflect-metadata';
import './patientRegex.ts';

import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
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
import { createCredentialsHelper } from './credentialsHelper.ts';

const nodeTypes = new Map<string, INodeType>([
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

/** What n8n-core needs around a workflow, as far as tests use it. */
export function createAdditionalData(credentials: Credentials) {
	const data = {
		credentialsHelper: createCredentialsHelper(credentials),
		executionId: '1',
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookWaitingBaseUrl: 'http://127.0.0.1/',
		formWaitingBaseUrl: 'http://127.0.0.1/',
	};
	return data as IWorkflowExecuteAdditionalData & typeof data;
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

/**
 * Runs the action node in a real n8n-core execution, after a trigger with the name "Items". Gives its items, or the
 * error that stopped the workflow.
 */
export async function runNode(options: RunOptions) {
	const { parameters, credentials, items = [{}], onError } = options;
	const trigger = createNode('cardPlatformTrigger', {}, { name: 'Items' });
	const node = createNode('cardPlatform', parameters, { onError });
	const workflowData = {
		id: 'workflow-1',
		name: 'test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [trigger, node],
		connections: {
			Items: { main: [[{ node: node.name, type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		settings: { timezone: 'Europe/Berlin' },
	};
	const additionalData = Object.assign(createAdditionalData(credentials), {
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
	});
	const data = { main: [items.map((json, item) => ({ json, pairedItem: { item } }))] };
	const run = { data, startTime: 0, executionTime: 0, executionIndex: 0, source: [] };
	const start = createRunExecutionData({
		resultData: { runData: { Items: [run] } },
		executionData: {
			nodeExecutionStack: [{ node, data, source: { main: [{ previousNode: 'Items' }] } }],
		},
	});
	const workflow = new Workflow({ ...workflowData, nodeTypes: knownNodeTypes });
	const execution = new WorkflowExecute(additionalData, 'manual', start);
	const running = execution.processRunExecutionData(workflow);
	void options.stop?.then(() => running.cancel());
	const result = await running;
	const { runData, error } = result.data.resultData;
	const [output = []] = runData[node.name]?.at(-1)?.data?.main ?? [];
	return {
		items: output ?? [],
		error,
		/** All that n8n would store of the execution. */
		stored: JSON.stringify(result),
		/** How often n8n decrypted a credential. */
		lookups: additionalData.credentialsHelper.lookups,
	};
}
