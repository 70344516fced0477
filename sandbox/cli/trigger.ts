import { setTimeout } from 'node:timers/promises';

import { z } from 'zod/v4';

import { reasonOf, StartError, UsageError } from '../http/errors.ts';
import { STEPS } from '../simulate/lifecycle.ts';
import { anyCardBody, type resultSchema } from '../simulate/routes.ts';
import { DECLINE, PURCHASE } from '../simulate/scenarios.ts';
import type { LoggedDelivery } from '../webhooks/deliveryLog.ts';
import { parse } from './options.ts';

const EVENTS = ['purchase', 'decline', ...STEPS] as const;

const INCREMENT = '10.00';

/** How long the responses of receivers are waited for, in ms: a bit longer than a delivery may take. */
const LONGEST_WAIT = 12_000;

/** An option for each field of a purchase: --card-id, --merchant-country. */
const OPTIONS = new Map(
	Object.keys(anyCardBody.omit({ decline: true }).shape).map((field) => [
		field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
		field,
	]),
);

export const TRIGGER_HELP = `Usage: npx card-platform-sandbox trigger EVENT [options]

Simulates an event in a running sandbox, and reports what each receiver responded.
EVENT is ${EVENTS.join(', ')}. All but the
first two continue a purchase, which is made for them.

  --sandbox URL    where the sandbox is (default http://localhost:4010)
  --reason REASON  why the network declines, such as suspected_fraud
${[...OPTIONS.keys()].map((name) => `  --${name} VALUE`).join('\n')}

The result is printed as JSON to standard output, everything else to standard error.
Exit codes: 0 done, 1 declined, rejected or failed, 2 mistake in the command line.`;

type Result = z.infer<typeof resultSchema>;

/**
 * Simulates an event in a running sandbox, as the command line says; prints what it wrote, and what each receiver
 * responded, as JSON. Gives the exit code: 1 for a purchase or an increment that was declined.
 */
export async function trigger(args: string[]): Promise<number> {
	const { event: name, sandbox, purchase } = parseTrigger(args);
	const simulate = (step: string, body: object) =>
		send<Result>(sandbox, `/simulate/${step}`, { method: 'POST', body: JSON.stringify(body) });
	let result = await simulate('authorization', purchase);
	if (result.event.isSuccess && name !== 'purchase' && name !== 'decline') {
		const { id: transactionId } = result.transaction;
		if (name === 'refund') await simulate('clearing', { transactionId });
		const amount = name === 'increment' ? INCREMENT : undefined;
		result = await simulate(name, { transactionId, amount });
	}
	const { event, transaction } = result;
	const deliveries = await responsesTo(sandbox, event.id);
	console.log(JSON.stringify({ transaction, event, deliveries }, null, 2));
	if (deliveries.length === 0) {
		console.error("sandbox: nobody receives the event: the card's account has no endpoint");
	}
	if (event.isSuccess || name === 'decline') return 0;
	const reasons = event.issues.map(({ reason }) => reason).join(', ');
	console.error(`sandbox: the platform declined the purchase: ${reasons}`);
	return 1;
}

/** Reads the event, where the sandbox is, and the usual purchase or decline with what is asked for. */
function parseTrigger(args: string[]): {
	event: (typeof EVENTS)[number];
	sandbox: string;
	purchase: object;
} {
	const options: Record<string, { type: 'string' }> = Object.fromEntries(
		['sandbox', 'reason', ...OPTIONS.keys()].map((name) => [name, { type: 'string' }]),
	);
	const parsed = parse({ args, allowPositionals: true, options });
	const [name, ...more] = parsed.positionals;
	const values: Record<string, string | undefined> = parsed.values;
	if (more.length > 0) throw new UsageError('trigger simulates one event');
	const event = EVENTS.find((each) => each === name);
	if (event === undefined) {
		throw new UsageError(`the event must be one of ${EVENTS.join(', ')}, not "${name ?? ''}"`);
	}
	const { reason, sandbox = 'http://localhost:4010', ...fields } = values;
	if (reason !== undefined && event !== 'decline') {
		throw new UsageError('--reason is for the event decline');
	}
	if (!/^https?:\/\//.test(sandbox)) {
		throw new UsageError(`--sandbox must start with http://, unlike "${sandbox}"`);
	}
	const usual = event === 'decline' ? DECLINE : PURCHASE;
	const purchase = {
		amount: usual.amount,
		...usual.merchant,
		...Object.fromEntries(
			Object.entries(fields).map(([option, value]) => [OPTIONS.get(option) ?? option, value]),
		),
		decline: usual.reason && { reason: reason ?? usual.reason },
	};
	return { event, sandbox: sandbox.replace(/\/$/, ''), purchase };
}

/** Sends a request to the control plane, whose types are those of its handlers. */
async function send<T>(sandbox: string, path: string, request: RequestInit = {}): Promise<T> {
	const response = await fetch(`${sandbox}/sandbox${path}`, request).catch((error: unknown) => {
		throw new StartError(`no sandbox responds at ${sandbox}: ${reasonOf(error)}`);
	});
	const body: unknown = await response.json();
	if (response.ok) return z.custom<T>().parse(body);
	const { message } = z.custom<{ message: string }>().parse(body);
	const { method = 'GET' } = request;
	throw new StartError(`${method} /sandbox${path}: HTTP ${response.status}: ${message}`);
}

/** Gives the state of each delivery of an event, after its first attempt or a timeout. */
async function responsesTo(sandbox: string, eventId: string) {
	const last = performance.now() + LONGEST_WAIT;
	for (;;) {
		const path = `/deliveries?sort=asc&eventId=${eventId}`;
		const { data } = await send<{ data: LoggedDelivery[] }>(sandbox, path);
		const isUntried = data.some((each) => each.status === 'pending' && each.attempts.length === 0);
		if (isUntried && performance.now() < last) {
			await setTimeout(50);
			continue;
		}
		return data.map(({ id, url, status, attempts }) => {
			const { httpStatus = null, error = null, responseBody = '' } = attempts.at(-1) ?? {};
			return { id, url, status, attempts: attempts.length, httpStatus, error, responseBody };
		});
	}
}
