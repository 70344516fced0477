import type { FunctionsBase, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { logVersion } from '../api/log';
import { toNodeError, toPlainText } from '../api/toNodeError';
import { keepNewEvents } from '../events/deduplicate';
import { toReadableItems } from '../events/item';
import { nodeKey } from '../events/keys';
import { Api, createLimiter } from '../transport/client';
import { parsePollingOptions, readWatched } from './fields';
import type { PollingOptions } from './types';

/**
 * Runs as the first step of an execution. In production it drops what has already started the
 * workflow, through this trigger or an equivalent one. In a manual run, n8n calls it in place of a
 * poll: it then gets the newest matching events, and remembers nothing.
 */
export async function startExecution(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	logVersion(this.logger);
	try {
		const options = parsePollingOptions(this.getNodeParameter('options', 0, {}));
		const isManual = this.getMode() === 'manual';
		const items = isManual ? await fetchNewest(this, options) : await keepNew(this, options);
		return [toReadableItems(items, options.simplify)];
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

async function fetchNewest(
	context: IExecuteFunctions,
	options: PollingOptions,
): Promise<INodeExecutionData[]> {
	const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
	const get = (name: string) => context.getNodeParameter(name, 0, null);
	const watched = readWatched(get, options, context.getTimezone());
	const report = (hint: string) => showHints(context, [hint]);
	const limiter = createLimiter(context, config, 'watched');
	return await watched.fetchNewest(new Api(context, config, 'read', limiter, report));
}

async function keepNew(
	context: IExecuteFunctions,
	options: PollingOptions,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	showHints(context, hintsOf(context));
	if (context.getMode() !== 'trigger' || !options.deduplicate) return items;
	const newItems = await keepNewEvents(context, items, options);
	if (newItems.length > 0) return newItems;
	const empty =
		items.length === 0
			? 'This execution is empty on purpose: n8n saves the trigger’s memory only with an execution.'
			: `Nothing new: these events, or their purchases, already started the workflow. Number of events: ${items.length}. This is normal after a restart, and beside a webhook trigger.`;
	showHints(context, [empty]);
	return [];
}

const MAX_HINTS = 10;

/** What polls had to say since this process started, by trigger. */
const reported = new Map<string, Set<string>>();

/** The hints of a trigger's polls, such as that the API ignores a filter: each of its executions shows them. */
function hintsOf(context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): Set<string> {
	const hints = reported.get(nodeKey(context)) ?? new Set();
	reported.set(nodeKey(context), hints);
	return hints;
}

/** Remembers a hint of a trigger's polls; false if it was known. Only the newest are kept: the words of an API may have a number. */
export function rememberHint(context: Parameters<typeof hintsOf>[0], hint: string): boolean {
	const hints = hintsOf(context);
	const isNew = !hints.has(hint);
	hints.add(hint);
	for (const oldest of [...hints].slice(0, -MAX_HINTS)) hints.delete(oldest);
	return isNew;
}

/** Shows hints above the items of an execution. */
function showHints(context: IExecuteFunctions, hints: Iterable<string>): void {
	for (const hint of hints) {
		const message = toPlainText(hint);
		context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	}
}
