import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { logVersion } from '../api/log';
import { toNodeError } from '../api/toNodeError';
import { keepNewEvents } from '../events/deduplicate';
import { toReadableItems } from '../events/item';
import { Api, createLimiter } from '../transport/client';
import { readWatched } from './fields';
import { hintsOf, showHints } from './hints';
import { parsePollingOptions, type PollingOptions } from './options';

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
			? 'This execution is empty: n8n stores what the trigger remembers only with an execution.'
			: `Nothing new: these events, or their purchases, already started the workflow. Number of events: ${items.length}. After a restart, n8n checks the last events again.`;
	showHints(context, [empty]);
	return [];
}
