import { ExecuteContext, PollContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import type { Credentials } from '../../harness/core/credentials.ts';
import { createAdditionalData, createNode } from '../../harness/core/runNode.ts';
import { createTriggerWorkflow } from './trigger';

const trigger = new CardPlatformPollingTrigger();

/** A trigger in a workflow, polled in n8n-core's own contexts. */
export function createPollingTrigger(credentials: Credentials, parameters: INodeParameters = {}) {
	const node = createNode('cardPlatformPollingTrigger', { events: ['all'], ...parameters });
	const workflow = createTriggerWorkflow(node);
	const emitted: IDataObject[][] = [];

	/** As n8n does when it publishes the workflow, or starts with it: a new context. */
	const activate = (mode: WorkflowActivateMode = 'activate') => {
		const emit = (data: INodeExecutionData[][]) => {
			emitted.push((data[0] ?? []).map(({ json }) => json));
		};
		const context = new PollContext(
			workflow,
			node,
			createAdditionalData(credentials),
			'trigger',
			mode,
			emit,
		);
		/** The JSON of the items of a poll; null if it gives none. */
		return async () => {
			const output = await trigger.poll.call(context);
			return output === null ? null : (output[0] ?? []).map(({ json }) => json);
		};
	};

	/** Runs execute(), as the first step of an execution or in a manual run. */
	const execute = async (items: IDataObject[], mode: WorkflowExecuteMode = 'trigger') => {
		const input = items.map((json) => ({ json }));
		const data = { main: [input] };
		const context = new ExecuteContext(
			workflow,
			node,
			createAdditionalData(credentials),
			mode,
			createRunExecutionData(),
			0,
			input,
			data,
			{ node, data, source: null },
			[],
		);
		const [output = []] = await trigger.execute.call(context);
		return output.map(({ json }) => json);
	};

	return {
		activate,
		execute,
		/** What it emitted itself, execution by execution. */
		emitted,
		/** All that n8n stores for the node. */
		stored: () => JSON.stringify(workflow.getStaticData('node', node)),
	};
}
