import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { DELIVERY_SETTINGS } from '../assumptions.ts';
import { type EventKind, eventKindSchema } from '../events/financialEvent.ts';
import { StartError, UsageError } from '../http/errors.ts';
import { sampleEvent } from '../simulate/scenarios.ts';
import { adviceFor, ignoredBecause } from '../webhooks/explain.ts';
import { isAccepted } from '../webhooks/outbox.ts';
import { send as sendDelivery } from '../webhooks/send.ts';
import { httpUrl, oneOf, parse } from './options.ts';

/**
 * Signs a webhook delivery and sends it once, as the command line says; prints the attempt as JSON, without the
 * secret. Gives the exit code: 1 if no response with 2xx came.
 */
export async function send(args: string[]): Promise<number> {
	const { url, secrets, body, timestamp } = parseSend(args);
	const attempt = await sendDelivery(
		{ eventId: idIn(body) ?? randomUUID(), url, body, timestamp },
		{
			at: new Date(),
			secrets,
			timeout: DELIVERY_SETTINGS.timeout,
			closing: new AbortController().signal,
		},
	);
	console.log(JSON.stringify({ ...attempt, ignored: ignoredBecause(attempt) ?? null }, null, 2));
	const advice = adviceFor(url, attempt);
	if (advice !== undefined) console.error(`sandbox: ${advice}`);
	return isAccepted(attempt) ? 0 : 1;
}

function parseSend(args: string[]) {
	const { values, positionals } = parse({
		args,
		// Refused here: the message of the parser would show it, and it may be the secret.
		allowPositionals: true,
		options: {
			url: { type: 'string' },
			secret: { type: 'string', multiple: true, default: [] },
			event: { type: 'string' },
			body: { type: 'string' },
			timestamp: { type: 'string' },
		},
	});
	const { secret: secrets, event, body, timestamp = null } = values;
	if (positionals.length > 0) throw new UsageError('send takes only options, such as --secret');
	if (secrets.length === 0 || secrets.includes('')) throw new UsageError('--secret is missing');
	if (event !== undefined && body !== undefined) {
		throw new UsageError('--event and --body exclude each other');
	}
	const kind = oneOf('--event', eventKindSchema.options, event ?? 'approved');
	return {
		url: httpUrl('--url', values.url).href,
		secrets,
		body: body === undefined ? sampleBody(kind) : read(body),
		timestamp,
	};
}

/** An event of a card and a transaction that do not exist. */
function sampleBody(kind: EventKind): Buffer {
	const ids = { id: randomUUID(), transactionId: randomUUID(), cardId: randomUUID() };
	return Buffer.from(JSON.stringify(sampleEvent(kind, ids, new Date())));
}

function read(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		throw new StartError(`cannot read ${file}: ${error instanceof Error ? error.message : ''}`);
	}
}

/** The ID of the event in a body, if it has one. */
function idIn(body: Buffer): string | undefined {
	const [, id] = /"id"\s*:\s*"([\w-]+)"/.exec(body.toString()) ?? [];
	return id;
}
