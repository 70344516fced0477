import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { matchesEvent } from '../api/eventFilter';
import { authenticate } from './authenticate';
import {
	type Delivery,
	header,
	judge,
	OPTION_TO_CHANGE,
	type Rejection,
	REJECTIONS,
} from './delivery';
import { eventKey } from './eventKey';
import { KeyCache } from './keyCache';
import { toKeys } from './keys';
import { logEntry, loggedEventId } from './log';
import { SeenEvents } from './seenEvents';
import { parseFilters, parseOptions } from './settings';

const CREDENTIAL = 'cardPlatformWebhookApi';

const keyCache = new KeyCache();

const seenEvents = new SeenEvents();

/** The raw bytes of the request; undefined where n8n cannot give them (multipart, aborted). */
async function readBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request = context.getRequestObject();
	try {
		await request.readRawBody();
		return request.rawBody;
	} catch {
		return undefined;
	}
}

function answer(context: IWebhookFunctions, status: number, body: IDataObject) {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true } satisfies IWebhookResponseData;
}

const headerId = (context: IWebhookFunctions): string | undefined =>
	header({ body: undefined, headers: context.getHeaderData() }, 'x-webhook-event-id');

function ignore(
	context: IWebhookFunctions,
	reason: 'other-topic' | 'duplicate' | 'filtered',
	event: IDataObject | undefined,
) {
	const eventId = loggedEventId(event, headerId(context));
	const { text, metadata } = logEntry(context, reason, eventId);
	context.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
	return answer(context, 200, { ignored: reason });
}

function reject(context: IWebhookFunctions, reason: Rejection, event?: IDataObject) {
	const eventId = loggedEventId(event, headerId(context));
	const { text, metadata } = logEntry(context, reason, eventId, OPTION_TO_CHANGE.get(reason));
	context.logger.warn(`Card Platform Trigger rejected a delivery: ${text}`, metadata);
	const status = REJECTIONS[reason];
	const code = status === 401 ? 'unauthorized' : 'bad-request';
	return answer(context, status, { code, message: reason });
}

/** Remembers the event when n8n has answered 2xx, that is, when the workflow has it. */
function rememberWhenAnswered(context: IWebhookFunctions, key: string): void {
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode < 300) seenEvents.add(key);
	});
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const node = context.getNode();
	const place = `${context.getWorkflow().id}:${node.id}`;
	const credentialId = node.credentials?.[CREDENTIAL]?.id;
	const delivery: Delivery = { body: await readBody(context), headers: context.getHeaderData() };
	const now = Date.now();

	const fetchKeys = async () => toKeys(await context.getCredentials(CREDENTIAL));
	const authentication = await authenticate(delivery, async (isMatch) =>
		typeof credentialId === 'string'
			? await keyCache.check(`${place}:${credentialId}`, fetchKeys, isMatch, now)
			: 'no-secret',
	);
	if ('rejection' in authentication) return reject(context, authentication.rejection);

	// Only now, as an expression in a parameter may look at the request.
	const options = parseOptions(context.getNodeParameter('options', {}));
	const verdict = judge(authentication.body, delivery, now, options);
	if (verdict.kind === 'rejected') return reject(context, verdict.reason, verdict.event);
	if (verdict.kind === 'ignored') return ignore(context, verdict.reason, verdict.event);

	const { item } = verdict;
	const deduplicates = options.deduplicate && context.getMode() !== 'manual';
	const key = `${place}:${eventKey(item)}`;
	if (deduplicates && seenEvents.has(key)) return ignore(context, 'duplicate', item);

	const filter = parseFilters(
		context.getNodeParameter('filters', {}),
		context.getNodeParameter('events'),
	);
	if (!matchesEvent(filter, item)) return ignore(context, 'filtered', item);

	if (deduplicates) rememberWhenAnswered(context, key);
	return { workflowData: [[{ json: item }]] };
}

/**
 * Takes one webhook request: emits the event of a genuine delivery, answers everything else by
 * itself, so that no forged request starts an execution (§6). Never throws: n8n would record a
 * failed execution for it.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		// The sender tries again after a 500, so the event is not lost.
		const { text, metadata } = logEntry(
			this,
			String(error),
			loggedEventId(undefined, headerId(this)),
		);
		this.logger.error(`Card Platform Trigger could not check a delivery: ${text}`, metadata);
		return answer(this, 500, { code: 'internal-server-error', message: 'delivery not checked' });
	}
}
