import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { type Connection, readConnection } from '../api/connection';
import { Problem } from '../api/problem';
import { toNodeError } from '../toNodeError';
import { createApi } from '../transport/client';
import { Traffic } from '../transport/traffic';
import { inOrder } from './inOrder';
import { readItem } from './item';
import type { Operation } from './operation';
import { findOperation } from './table';

interface Job {
	index: number;
	operation: Operation;
}

const isDataObject = (value: object): value is IDataObject => !Array.isArray(value);

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

function refuseWrites({ effect, action }: Operation, connection: Connection): void {
	if (effect === 'read' || !connection.readOnly) return;
	throw new Problem(
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
		throw new Problem(
			`No operation is selected for the resource "${resource}"`,
			'Nothing was sent. Select an Operation in this node. If an expression sets it, check what it returns for this item.',
		);
	}
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new Problem(
		`There is no operation "${name}" for the resource "${resource}"`,
		'Select Resource and Operation from their lists. If an expression sets them, check what it returns for this item.',
	);
}

const isUnordered = ({ effect }: Operation) => effect === 'read' || effect === 'repeatable';

/**
 * Groups neighbouring items that may be processed at the same time. Writes whose order
 * matters, or that may happen once only, go one by one, and a change of operation waits for what was before it: a card that one item
 * freezes and the next unfreezes ends up unfrozen.
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
	const node = this.getNode();

	const failed = (error: unknown, index: number): INodeExecutionData[] => {
		const nodeError = toNodeError(node, error, index);
		if (!this.continueOnFail()) throw nodeError;
		return [{ json: toErrorJson(nodeError), pairedItem: { item: index } }];
	};

	const run = async ({ index, operation }: Job, connection: Connection, traffic: Traffic) => {
		try {
			refuseWrites(operation, connection);
			const api = createApi(this, connection, operation.effect, traffic);
			const output = await operation.run(api, readItem(this, index));
			return [output].flat().map((json) => ({
				json: isDataObject(json) ? json : {},
				pairedItem: { item: index },
			}));
		} catch (error) {
			return failed(error, index);
		}
	};

	const outputs: INodeExecutionData[][] = [];
	const jobs: Job[] = [];
	let connection: Connection | undefined;
	for (const index of this.getInputData().keys()) {
		try {
			connection ??= readConnection(await this.getCredentials('cardPlatformApi'));
			jobs.push({ index, operation: readOperation(this, index) });
		} catch (error) {
			outputs[index] = failed(error, index);
		}
	}
	if (connection === undefined) return [outputs.flat()];

	const ready = connection;
	const traffic = new Traffic(ready.maxInFlight);
	for (const group of toGroups(jobs)) {
		const tasks = group.map((job) => async () => await run(job, ready, traffic));
		const results = await inOrder(tasks, ready.maxInFlight);
		for (const [position, job] of group.entries()) outputs[job.index] = results[position] ?? [];
	}
	return [outputs.flat()];
}
