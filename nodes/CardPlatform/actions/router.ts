import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { type ApiConfig, readApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';
import { logVersion } from '../events/log';
import { toNodeError, toPlainText } from '../toNodeError';
import { createApi, createLimiter, type Cut } from '../transport/client';
import { describeCuts, describeFailures } from './executionHints';
import type { Operation } from './operation';
import { readItem } from './parameters';
import { findOperation } from './table';

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
 * Reads which operation to run. n8n hides the fields that do not belong to the selected one, and drops their
 * values; of an expression it would drop filters and keys without a word.
 */
function readOperation(context: IExecuteFunctions): Operation {
	const [resource = '', name = ''] = ['resource', 'operation'].map((selector) => {
		const value = context.getNode().parameters[selector];
		return typeof value === 'string' ? value : '';
	});
	if (`${resource}${name}`.includes('{{')) {
		throw new UserError(
			'Resource or Operation is set by an expression, so nothing was sent',
			'Select Resource and Operation from their lists. For different operations, use several nodes, e.g. behind a Switch node.',
		);
	}
	if (name === '') {
		throw new UserError(
			`No operation is selected for the resource ${quoteValue(resource)}`,
			'Nothing was sent. Select an Operation in this node.',
		);
	}
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new UserError(
		`There is no operation ${quoteValue(name)} for the resource ${quoteValue(resource)}`,
		'Select Resource and Operation from their lists.',
	);
}

const isUnordered = ({ effect }: Operation) => effect === 'read' || effect === 'repeatable';

/**
 * Reads the credential. n8n signs all requests of a run with its values for the first item, so an
 * expression in it must not depend on the item: the last one shows it.
 */
async function readCredential(context: IExecuteFunctions): Promise<ApiConfig> {
	const credential = await context.getCredentials('cardPlatformApi', 0);
	const last = context.getInputData().length - 1;
	const ofLast = last > 0 ? await context.getCredentials('cardPlatformApi', last) : credential;
	if (JSON.stringify(ofLast) !== JSON.stringify(credential)) {
		throw new UserError(
			`The credential has different values for item 0 and item ${last}, so nothing was sent`,
			'n8n would use the values of item 0 for all items. Use expressions in the Card Platform API credential that do not depend on the item, or put a Loop Over Items node with a batch size of 1 before this one.',
		);
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

/**
 * Runs the action node: each input item through the operation, in the order of the input, each
 * output paired with its input item. Writes whose order matters, or that may happen once only, go one
 * by one. With "Continue On Fail" an item that fails becomes an error item and the others go on.
 *
 * @throws NodeApiError or NodeOperationError with the index of the first item that failed
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	logVersion(this.logger);
	const failures: number[] = [];
	const failed = (error: unknown, index: number): INodeExecutionData[] => {
		const nodeError = toNodeError(this.getNode(), error, index);
		if (!this.continueOnFail()) throw nodeError;
		failures.push(index);
		return [{ json: toErrorJson(nodeError), pairedItem: { item: index } }];
	};

	const indexes = [...this.getInputData().keys()];
	const cuts: Cut[] = [];
	const setUp = async () => {
		const operation = readOperation(this);
		const config = await readCredential(this);
		refuseWrites(operation, config);
		const limiter = createLimiter(this, config, 'execution');
		const onCut = (cut: Cut) => cuts.push(cut);
		return { operation, limiter, api: createApi(this, config, operation.effect, limiter, onCut) };
	};
	const ready = await setUp().catch((error: unknown) => ({ error }));
	const finish = (items: INodeExecutionData[], describe?: Operation['describeOutput']) => {
		const hints = [
			describeFailures(
				failures.sort((a, b) => a - b),
				indexes.length,
			),
			describeCuts(cuts, indexes.length),
			describe?.(items.map(({ json }) => json)),
		];
		this.addExecutionHints(
			...hints
				.filter((hint) => hint !== undefined)
				.map((hint) => ({ ...hint, message: toPlainText(hint.message) })),
		);
		return [items];
	};
	if ('error' in ready) return finish(indexes.flatMap((index) => failed(ready.error, index)));

	const { operation, limiter, api } = ready;
	const run = async (index: number): Promise<INodeExecutionData[]> => {
		try {
			const output = await operation.run(api, readItem(this, index, operation.fields));
			return [output].flat().map((json) => ({ json, pairedItem: { item: index } }));
		} catch (error) {
			return failed(error, index);
		}
	};
	const runInOrder = async () => {
		const outputs: INodeExecutionData[][] = [];
		for (const index of indexes) outputs.push(await run(index));
		return outputs;
	};
	const outputs = await (isUnordered(operation)
		? limiter.mapConcurrent(indexes, run)
		: runInOrder());
	return finish(outputs.flat(), operation.describeOutput);
}
