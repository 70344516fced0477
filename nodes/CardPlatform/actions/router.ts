import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { type ApiConfig, readApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { toNodeError } from '../toNodeError';
import { createApi, createLimiter } from '../transport/client';
import { readItem } from './parameters';
import type { Operation } from './operation';
import { findOperation } from './table';

/** One input item with its operation. */
interface Job {
	index: number;
	operation: Operation;
	config: ApiConfig;
}

/**
 * The JSON of an error item. Before 2.36, n8n recognises one by these two keys only; with any other,
 * the item leaves through the success output. n8n's error output adds the input item's fields.
 */
function toErrorJson(error: NodeApiError | NodeOperationError): IDataObject {
	const httpCode = error instanceof NodeApiError ? error.httpCode : undefined;
	const { idempotencyKey } = error.context;
	const hint = error.description;
	return {
		error: error.message,
		message: { hint, httpCode, ...(idempotencyKey && { idempotencyKey }) },
	};
}

/**
 * Reads the credential. n8n signs all requests of a run with its values for the first item, so an
 * expression in it must have the same value for every item.
 */
async function readCredential(context: IExecuteFunctions): Promise<ApiConfig> {
	const read = async (index: number) => await context.getCredentials('cardPlatformApi', index);
	const credential = await read(0);
	const isSame = async (index: number) =>
		JSON.stringify(await read(index)) === JSON.stringify(credential);

	const items = context.getInputData();
	// What depends on the item has no value behind the last one, so all others need not be read.
	if (items.length > 1 && !(await isSame(items.length).catch(() => false))) {
		for (const index of items.keys()) {
			if (await isSame(index)) continue;
			throw new UserError(
				`The credential has different values for item 0 and item ${index}, so nothing was sent`,
				'n8n would use the values of item 0 for all items. Use expressions in the Card Platform API credential that do not depend on the item, or put a Loop Over Items node with a batch size of 1 before this one.',
			);
		}
	}
	return readApiConfig(credential);
}

function refuseWrites({ effect, action }: Operation, config: ApiConfig): void {
	if (effect === 'read' || !config.readOnly) return;
	throw new UserError(
		`The credential is read-only, so the operation was not run: ${action}`,
		'Nothing was sent. To allow it, turn off Read Only in the Card Platform API credential, or choose another credential in this node.',
	);
}

/** Resource or operation of an item; n8n leaves their expressions to the node. */
function readSelector(
	context: IExecuteFunctions,
	parameter: 'resource' | 'operation',
	index: number,
): string {
	const value = context.getNodeParameter(parameter, index);
	if (!value.includes('{{')) return value;
	const result = context.evaluateExpression(value, index);
	return typeof result === 'string' ? result : JSON.stringify(result);
}

function readOperation(context: IExecuteFunctions, index: number): Operation {
	const resource = readSelector(context, 'resource', index);
	const name = readSelector(context, 'operation', index);
	if (name === '') {
		throw new UserError(
			`No operation is selected for the resource "${resource}"`,
			'Nothing was sent. Select an Operation in this node. If an expression sets it, check what it returns for this item.',
		);
	}
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new UserError(
		`There is no operation "${name}" for the resource "${resource}"`,
		'Select Resource and Operation from their lists. If an expression sets them, check what it returns for this item.',
	);
}

const isUnordered = ({ effect }: Operation) => effect === 'read' || effect === 'repeatable';

/**
 * Groups neighbouring items that may be processed together. Writes whose order matters, or that may
 * happen once only, go one by one, and a change of operation waits for what was before it: a card
 * that one item freezes and the next unfreezes ends up unfrozen.
 */
function toGroups(jobs: Job[]): Job[][] {
	const groups: Job[][] = [];
	for (const job of jobs) {
		const group = groups.at(-1);
		const joins = isUnordered(job.operation) && group?.[0]?.operation === job.operation;
		if (group !== undefined && joins) group.push(job);
		else groups.push([job]);
	}
	return groups;
}

/**
 * Runs the action node: each input item through its operation, in the order of the input, each
 * output paired with its input item. With "Continue On Fail" an item that fails becomes an error
 * item and the others go on.
 *
 * @throws NodeApiError or NodeOperationError with the index of the first item that failed
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const failed = (error: unknown, index: number): INodeExecutionData[] => {
		const nodeError = toNodeError(this.getNode(), error, index);
		if (!this.continueOnFail()) throw nodeError;
		return [{ json: toErrorJson(nodeError), pairedItem: { item: index } }];
	};

	const outputs: INodeExecutionData[][] = [];
	const jobs: Job[] = [];
	let reading: Promise<ApiConfig> | undefined;
	let config: ApiConfig | undefined;
	for (const index of this.getInputData().keys()) {
		try {
			config = await (reading ??= readCredential(this));
			jobs.push({ index, operation: readOperation(this, index), config });
		} catch (error) {
			outputs[index] = failed(error, index);
		}
	}
	if (config === undefined) return [outputs.flat()];

	const limiter = createLimiter(this, config);
	const run = async ({ index, operation, config }: Job): Promise<INodeExecutionData[]> => {
		try {
			refuseWrites(operation, config);
			const api = createApi(this, config, operation.effect, limiter);
			const output = await operation.run(api, readItem(this, index, operation.fields));
			return [output].flat().map((json) => ({ json, pairedItem: { item: index } }));
		} catch (error) {
			return failed(error, index);
		}
	};
	for (const group of toGroups(jobs)) {
		const results = await limiter.mapConcurrent(group, async (job) => ({
			index: job.index,
			items: await run(job),
		}));
		for (const { index, items } of results) outputs[index] = items;
	}
	return [outputs.flat()];
}
