import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	type NodeExecutionHint,
	type NodeOperationError,
} from 'n8n-workflow';

import { type ApiConfig, readApiConfig } from '../api/config';
import { logVersion } from '../api/log';
import { toNodeError, toPlainText } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';
import { Api, createLimiter } from '../transport/client';
import type { Report } from '../transport/types';
import type { Item, Operation } from './operation';
import { findOperation } from './table';

/**
 * The JSON of an error item. Before 2.36, n8n recognizes one by these two keys only; with another key, the item
 * leaves through the success output. n8n's error output adds the fields of the input item.
 */
function toErrorJson(error: NodeApiError | NodeOperationError): IDataObject {
	const httpCode = error instanceof NodeApiError ? error.httpCode : undefined;
	const { idempotencyKey, cardId, previousStatus } = error.context;
	const message = { hint: error.description, httpCode, idempotencyKey, cardId, previousStatus };
	return { error: error.message, message };
}

/**
 * Reads which operation to run. n8n drops the values of fields that the selected operation does not have. With an
 * expression, it would silently drop filters and keys.
 */
function readOperation(context: IExecuteFunctions): Operation {
	const read = (selector: 'resource' | 'operation'): string => {
		const value = context.getNode().parameters[selector];
		return typeof value === 'string' ? value : '';
	};
	const [resource, name] = [read('resource'), read('operation')];
	if (`${resource}${name}`.includes('{{')) {
		throw new UserError(
			'Resource or Operation is set by an expression, so nothing was sent',
			'Select Resource and Operation from their lists. For different operations, use several nodes, e.g. behind a Switch node.',
		);
	}
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	const what =
		name === '' ? 'No operation is selected' : `There is no operation ${quoteValue(name)}`;
	throw new UserError(
		`${what} for the resource ${quoteValue(resource)}`,
		'Nothing was sent. Select Resource and Operation from their lists.',
	);
}

/**
 * Reads the credential. n8n signs all requests of a run with its values for the first item, so an expression in
 * it must not depend on the item. n8n gives no node the expression, so the values of all items are compared.
 */
async function readCredential(context: IExecuteFunctions): Promise<ApiConfig> {
	const credential = await context.getCredentials('cardPlatformApi', 0);
	for (let index = 1; index < context.getInputData().length; index++) {
		const other = await context.getCredentials('cardPlatformApi', index);
		if (JSON.stringify(other) === JSON.stringify(credential)) continue;
		throw new UserError(
			`The credential has different values for item 0 and item ${index}, so nothing was sent`,
			'n8n would use the values of item 0 for all items. In the Card Platform API credential, use expressions that do not depend on the item. Or put a Loop Over Items node with a batch size of 1 before this one.',
		);
	}
	return readApiConfig(credential);
}

/** Reads fields. An optional field that the workflow does not have has its default value. */
const itemOf = (context: IExecuteFunctions, index: number): Item => ({
	context,
	index,
	get({ name, displayName, required, default: fallback, parse }) {
		const value = context.getNodeParameter(name, index, required ? undefined : fallback);
		return parse(value, displayName, context.getTimezone());
	},
});

function refuseWrites({ effect, action }: Operation, config: ApiConfig): void {
	if (effect === 'read' || !config.readOnly) return;
	throw new UserError(
		`The credential is read-only, so the operation was not run: ${action}`,
		'Nothing was sent. To allow it, turn off "Read Only" in the Card Platform API credential, or choose another credential in this node.',
	);
}

/**
 * Runs the operation for each input item; the output is in the order of the input, each item paired. Writes whose
 * order matters, or that must happen once only, go one by one. With "Continue On Fail", an item that fails becomes
 * an error item, and the others go on.
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	logVersion(this.logger);
	const indexes = [...this.getInputData().keys()];
	const failures: number[] = [];
	const hints = new Map<string, NodeExecutionHint>();
	const report: Report = (hint, type = 'info') => {
		hints.set(hint, { message: toPlainText(hint), type, location: 'outputPane' });
	};
	const toErrorItem = (error: unknown, index: number): INodeExecutionData[] => {
		const nodeError = toNodeError(this.getNode(), error, index);
		if (!this.continueOnFail()) throw nodeError;
		failures.push(index);
		return [{ json: toErrorJson(nodeError), pairedItem: { item: index } }];
	};
	const runAll = async (): Promise<INodeExecutionData[]> => {
		const operation = readOperation(this);
		const config = await readCredential(this);
		refuseWrites(operation, config);
		const limiter = createLimiter(this, config, 'execution');
		const api = new Api(this, config, operation.effect, limiter, report);
		const runItem = async (index: number): Promise<INodeExecutionData[]> => {
			try {
				const output = await operation.run(api, itemOf(this, index));
				return [output].flat().map((json) => ({ json, pairedItem: { item: index } }));
			} catch (error) {
				return toErrorItem(error, index);
			}
		};
		if (['read', 'repeatable'].includes(operation.effect))
			return (await limiter.mapConcurrent(indexes, runItem)).flat();
		const outputs: INodeExecutionData[][] = [];
		for (const index of indexes) outputs.push(await runItem(index));
		return outputs.flat();
	};

	const items = await runAll().catch((error: unknown) =>
		indexes.flatMap((index) => toErrorItem(error, index)),
	);
	if (failures.length > 0 && indexes.length > 1) {
		const first = failures.reduce((least, each) => Math.min(least, each));
		report(
			`${failures.length} of ${indexes.length} items failed. The first is item ${first}.`,
			'warning',
		);
	}
	this.addExecutionHints(...hints.values());
	return [items];
}
