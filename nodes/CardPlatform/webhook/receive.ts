import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { findStart, keepNewEvents, nodeKey } from '../events/deduplicate';
import { logEntry, loggedEventId, logVersion } from '../events/log';
import { parseTriggerFilters } from '../events/triggerParameters';
import { type Delivery, header, parseDelivery } from './delivery';
import { parseOptions, RESPOND_AT_THE_END } from './properties';
import { findReport, report } from './report';
import { type Ignored, isRejection, type Reason, type Rejection, RESPONSES } from './responses';
import { SigningKeyCache, type SigningKeySource, toSigningKeys } from './signingKeys';
import { verify } from './verify';

const CREDENTIAL = 'cardPlatformWebhookApi';

const keyCache = new SigningKeyCache();

/** The response has been sent, and nothing starts. */
const RESPONDED: IWebhookResponseData = { noWebhookResponse: true };

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
		const { text, metadata } = logEntry(this, String(error), eventIdOf(this));
		this.logger.error(`Card Platform Trigger could not check a delivery: ${text}`, metadata);
		respond(this, 'delivery not checked');
		return { ...RESPONDED, workflowData: report(this, 'delivery not checked', error) };
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const body = await readBody(context);
	if (body === undefined) return drop(context, 'body-unreadable');
	const delivery: Delivery = { body, headers: context.getHeaderData() };
	const now = Date.now();

	const forgery = await verify(delivery, keyCache, signingKeySourceOf(context), now);
	if (forgery !== undefined) return drop(context, forgery);

	// Not before: an expression in a parameter can read the request.
	const options = parseOptions(context.getNodeParameter('options', {}));
	const result = parseDelivery(delivery, now, options.timestampTolerance);
	if (result.kind === 'dropped') return drop(context, result.reason, result.event);

	const { item } = result;
	const choice = parseTriggerFilters(
		context.getNodeParameter('filters', {}),
		context.getNodeParameter('events'),
		options.everyApproval,
	);
	const deduplicates = options.deduplicate && context.getMode() !== 'manual';
	const start = deduplicates ? findStart(context, item, choice) : undefined;
	if (start?.dropped !== undefined) return drop(context, start.dropped, item);
	if (!choice.matches(item)) return drop(context, 'filtered', item);

	const response = context.getResponseObject();
	response.once('finish', () => {
		// Otherwise n8n does not have the event, and it comes again.
		if (response.statusCode < 300) start?.remember();
	});
	return { workflowData: [[{ json: item }]] };
}

/**
 * Runs as the first step of the execution that a delivery started: drops an event that n8n's database
 * knows, or whose purchase it knows by another event. They get this far after a restart, from another
 * process, or if both arrive together. Only production deliveries are checked: tests and retries need the
 * event again.
 *
 * @returns the items of new events and purchases
 * @throws NodeOperationError or NodeApiError for a delivery that was refused
 */
export async function dropDuplicates(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const problem = findReport(this.getNode(), items);
	// With On Error → Continue, n8n would pass the problem on.
	if (problem !== undefined && this.continueOnFail()) return [[]];
	if (problem !== undefined) throw problem;
	const options = parseOptions(this.getNodeParameter('options', 0, {}));
	if (this.getMode() !== 'webhook' || !options.deduplicate) return [items];
	const { everyApproval } = options;
	// The first execution of the event may have failed, so that it comes again.
	const mayRepeat = this.getNodeParameter('responseMode', 0) === RESPOND_AT_THE_END;
	return [await keepNewEvents(this, items, { everyApproval, mayRepeat })];
}

/** The raw bytes of the request; undefined if n8n cannot read them (multipart, aborted). */
async function readBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request = context.getRequestObject();
	try {
		await request.readRawBody();
		return request.rawBody;
	} catch {
		return undefined;
	}
}

function signingKeySourceOf(context: IWebhookFunctions): SigningKeySource | undefined {
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id;
	if (typeof credentialId !== 'string') return undefined;
	return {
		id: `${nodeKey(context)}:${credentialId}`,
		fetch: async () => toSigningKeys(await context.getCredentials(CREDENTIAL)),
	};
}

/** Responds to a delivery that starts nothing, and logs the reason. */
function drop(
	context: IWebhookFunctions,
	reason: Ignored | Rejection,
	event?: IDataObject,
): IWebhookResponseData {
	const { option }: { status: number; option?: string } = RESPONSES[reason];
	const { text, metadata } = logEntry(context, reason, eventIdOf(context, event), option);
	respond(context, reason);
	if (!isRejection(reason)) {
		context.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
		return RESPONDED;
	}
	context.logger.warn(`Card Platform Trigger rejected a delivery: ${text}`, metadata);
	return { ...RESPONDED, workflowData: report(context, reason) };
}

const eventIdOf = (context: IWebhookFunctions, event?: IDataObject): string | undefined =>
	loggedEventId(event, header({ headers: context.getHeaderData() }, 'x-webhook-event-id'));

const CODES = { 400: 'bad-request', 401: 'unauthorized', 500: 'internal-server-error' };

function respond(context: IWebhookFunctions, reason: Reason): void {
	const { status } = RESPONSES[reason];
	const body = status === 200 ? { ignored: reason } : { code: CODES[status], message: reason };
	context.getResponseObject().status(status).json(body);
}
