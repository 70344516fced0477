import { setTimeout as pause } from 'node:timers/promises';

import { Agent, request } from 'undici';

import { signedDelivery } from '../harness/signing.ts';
import type { Balancer } from './balancer.ts';
import type { CountingWorkflow } from './countingWorkflow.ts';

/** A card event, as far as a sender has to know it. */
interface SentEvent {
	id: string;
}

/** Attempts without a 2xx response, by what happened instead: a status, or a reason of the network. */
export type Failures = Map<string, number>;

interface SendOptions {
	balancer: Balancer;
	workflow: CountingWorkflow;
	/** How many deliveries are under way at a time. */
	inFlight: number;
	/** Is called for each delivery that has had a 2xx response. */
	onDelivered: () => void;
}

/** Longer than n8n takes to notice that a worker is gone. */
const timeoutMs = 60_000;
const firstWaitMs = 250;
const longestWaitMs = 4_000;
/** This many attempts last for minutes: a receiver that is down that long is down. */
const mostAttempts = 60;

/**
 * Delivers signed events as a platform does (§6: at least once): what is not answered with 2xx is sent
 * again, after a wait that grows. Throws when a delivery never gets through.
 */
export async function sendAll(
	events: readonly SentEvent[],
	options: SendOptions,
): Promise<Failures> {
	const agent = new Agent({ connections: null, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
	const failures: Failures = new Map();
	const deliver = async (event: SentEvent): Promise<void> => {
		for (let attempt = 0; attempt < mostAttempts; attempt++) {
			const failure = await tryOnce(agent, event, options);
			if (failure === undefined) {
				options.onDelivered();
				return;
			}
			failures.set(failure, (failures.get(failure) ?? 0) + 1);
			await pause(Math.min(longestWaitMs, firstWaitMs * 2 ** attempt));
		}
		throw new Error(`The delivery of event ${event.id} was not taken in ${mostAttempts} attempts`);
	};
	const queue = events.values();
	const sendOneByOne = async () => {
		for (const event of queue) await deliver(event);
	};
	try {
		await Promise.all(Array.from({ length: options.inFlight }, sendOneByOne));
	} finally {
		await agent.destroy();
	}
	return failures;
}

/** Gives what went wrong, in a word; undefined when the delivery was answered with 2xx. */
async function tryOnce(
	dispatcher: Agent,
	event: SentEvent,
	{ balancer, workflow: { path, secret } }: SendOptions,
): Promise<string | undefined> {
	const { body, headers } = signedDelivery(event, secret);
	try {
		const status = await balancer.pass(async (url) => {
			const answer = await request(`${url}/${path}`, {
				method: 'POST',
				headers: { ...headers, 'x-webhook-event-id': event.id },
				body,
				dispatcher,
			});
			await answer.body.dump();
			return answer.statusCode;
		});
		return status !== undefined && status < 300 ? undefined : `HTTP ${status ?? 503}`;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		return typeof code === 'string' ? code : String(error);
	}
}
