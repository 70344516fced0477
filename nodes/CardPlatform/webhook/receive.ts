import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { logTrigger, logVersion } from '../api/log';
import { isStarting, toActivationError, toNodeError } from '../api/toNodeError';
import { findPriorStart, keepNewEvents } from '../events/deduplicate';
import { refuseAllAndOthers } from '../events/eventTypes';
import { toReadableItems } from '../events/item';
import { header, parseDelivery } from './delivery';
import { parseOptions, parseTriggerFilters, RESPOND_AT_THE_END } from './properties';
import { type Reason, report, reportedProblem, type Response, RESPONSES } from './rejections';
import { checkSecrets, signingKeysOf } from './signingKeys';
import { verify } from './verify';

/**
 * Receives a webhook request: emits the event of a genuine delivery, and responds to everything else
 * directly, so that no forged request starts an execution (§6), except as {@link report} says. Never
 * throws: n8n would record a failed execution for it.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	logVersion(this.logger);
	try {
		return await handle(this);
	} catch (error) {
		// The sender tries again after a 500, so the event is not lost.
		return drop(this, 'check-failed', undefined, error);
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	// n8n cannot read a multipart or aborted one.
	const bytes = request.readRawBody().then(() => request.rawBody);
	const body = await bytes.catch(() => undefined);
	if (body === undefined) return drop(context, 'body-unreadable');
	const delivery = { body, headers: context.getHeaderData() };

	const rejection = await verify(delivery, async () => await signingKeysOf(context));
	if (rejection !== undefined) return drop(context, rejection);

	// Not before: an expression in a parameter can read the request.
	const options = parseOptions(context.getNodeParameter('options', {}));
	const result = parseDelivery(delivery, Date.now(), options.timestampTolerance);
	if (result.kind === 'dropped') return drop(context, result.reason, result.event);

	const { item } = result;
	const filters = context.getNodeParameter('filters', {});
	const events = context.getNodeParameter('events');
	const choice = parseTriggerFilters(filters, events, options.everyApproval);
	const deduplicates = options.deduplicate && context.getMode() !== 'manual';
	const mayRepeat = context.getNodeParameter('responseMode') === RESPOND_AT_THE_END;
	const prior = deduplicates ? findPriorStart(context, item, choice, mayRepeat) : undefined;
	if (prior?.reason !== undefined) return drop(context, prior.reason, item);
	if (!choice.matches(item)) return drop(context, 'filtered', item);

	const response = context.getResponseObject();
	response.once('finish', () => {
		// Otherwise n8n does not have the event, and it comes again.
		if (response.statusCode < 300) prior?.remember();
	});
	return { workflowData: [[{ json: item }]] };
}

export const LEVELS = { 200: 'debug', 400: 'warn', 401: 'warn', 500: 'error' } as const;
const OUTCOMES = { debug: 'ignored', warn: 'rejected', error: 'could not check' };
const CODES = { 400: 'bad-request', 401: 'unauthorized', 500: 'internal-server-error' };

/** Responds to a delivery that starts nothing but perhaps a report, and logs the reason. */
function drop(
	context: IWebhookFunctions,
	reason: Reason,
	event?: IDataObject,
	error?: unknown,
): IWebhookResponseData {
	const { status, option }: Response = RESPONSES[reason];
	const headerId = header({ headers: context.getHeaderData() }, 'x-webhook-event-id');
	const level = LEVELS[status];
	const why = error instanceof Error ? String(error) : reason;
	logTrigger(context, level, `${OUTCOMES[level]} a delivery`, why, [event?.id, headerId], option);
	const body = status === 200 ? { ignored: reason } : { code: CODES[status], message: reason };
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true, workflowData: report(context, reason, error) };
}

/**
 * Runs as the first step of the execution that a delivery started. Drops what n8n's database knows: a duplicate gets this
 * far after a restart, from another process, or together with another. Tests and retries need the event again. Then makes
 * events readable: the check for duplicates needs all of their fields.
 *
 * @throws NodeOperationError or NodeApiError for a delivery that was refused
 */
export async function dropDuplicates(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const problem = reportedProblem(items);
	if (problem !== undefined) {
		// With On Error → Continue, n8n would pass the problem on.
		if (this.continueOnFail()) return [[]];
		throw toNodeError(this.getNode(), problem);
	}
	const options = parseOptions(this.getNodeParameter('options', 0, {}));
	const { deduplicate, everyApproval, simplify } = options;
	if (this.getMode() !== 'webhook' || !deduplicate) return [toReadableItems(items, simplify)];
	// The first execution of the event may have failed, so that it comes again.
	const mayRepeat = this.getNodeParameter('responseMode', 0) === RESPOND_AT_THE_END;
	const newItems = await keepNewEvents(this, items, { everyApproval, mayRepeat });
	return [toReadableItems(newItems, simplify)];
}

/**
 * Refuses to activate a trigger that could not verify anything, or whose fields hold wrong values,
 * so that the person sees it now and not when the first event is rejected.
 *
 * @throws NodeOperationError that says what to correct
 */
export async function validateTrigger(this: IHookFunctions): Promise<true> {
	try {
		const credential = await this.getCredentials('cardPlatformWebhookApi');
		checkSecrets(credential, this.getMode() === 'manual');
		const events = this.getNodeParameter('events');
		const { everyApproval } = parseOptions(this.getNodeParameter('options', {}));
		parseTriggerFilters(this.getNodeParameter('filters', {}), events, everyApproval);
		if (!isStarting(this.getActivationMode())) refuseAllAndOthers(events);
		return true;
	} catch (error) {
		throw toActivationError(this.getNode(), error);
	}
}
