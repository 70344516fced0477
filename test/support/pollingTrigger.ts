import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { createNode, type Credentials } from '../../dev/harness/core/credentials.ts';
import { createAdditionalData } from '../../dev/harness/core/runNode.ts';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { createFirstStep, createTriggerWorkflow } from './trigger';

const trigger = new CardPlatformPollingTrigger();

/** A trigger in a workflow, polled in n8n-core's own contexts. */
export function createPollingTrigger(credentials: Credentials, parameters: INodeParameters = {}) {
	const node = createNode('cardPlatformPollingTrigger', { events: ['all'], ...parameters });
	const workflow = createTriggerWorkflow(node);
	const emitted: IDataObject[][] = [];
	const errors: Error[] = [];
	const warnings: string[] = [];
	const hints: string[] = [];

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
			(error) => errors.push(error),
		);
		jest.spyOn(context.logger, 'warn').mockImplementation((text) => warnings.push(text));
		/** The JSON of the items of a poll; null if it gives none. */
		return async () => {
			const output = await trigger.poll.call(context);
			if (output === null) return null;
			const [items] = output;
			if (items === undefined) throw new Error('n8n starts no execution without an output');
			return items.map(({ json }) => json);
		};
	};

	/** Runs execute(), as the first step of an execution or in a manual run. */
	const execute = async (items: IDataObject[], mode: WorkflowExecuteMode = 'trigger') => {
		const context = createFirstStep(workflow, node, credentials, mode, items);
		const [output = []] = await trigger.execute.call(context);
		hints.push(...context.hints.map(({ message }) => message));
		return output.map(({ json }) => json);
	};

	return {
		node,
		activate,
		execute,
		/** What it emitted itself, execution by execution. */
		emitted,
		/** What it reported while its polls went on: each is a failed execution. */
		errors,
		/** What it wrote to n8n's log. */
		warnings,
		/** What its executions show above the output. */
		hints,
		/** All that n8n stores for the node. */
		stored: () => JSON.stringify(workflow.getStaticData('node', node)),
	};
}
