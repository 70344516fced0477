import { randomUUID } from 'node:crypto';

import type { Database } from '../database/database.ts';
import type { Faults } from '../faults/faults.ts';
import { reasonOf } from '../http/errors.ts';
import type { DeliverySettings, OutgoingDelivery } from '../types.ts';
import { listEndpoints, validSecrets } from './endpoint.ts';
import {
	type Attempt,
	type DeliveryOutcome,
	dueDeliveries,
	type DueDelivery,
	isAccepted,
	makePendingDue,
	nextDueAt,
	recordAttempt,
} from './outbox.ts';
import { send } from './send.ts';

/** Longest sleep in ms: the sandbox's clock may run ahead of the timer's, or be set back. */
const LONGEST_SLEEP = 1_000;

/**
 * Gives the milliseconds to wait after the `attempt`-th failed attempt (1, 2, …): exponential up to
 * a maximum (assumption DELIVERY_SETTINGS), of which `random` (0 to 1) takes off at most half, so that retries spread out.
 */
export function retryDelay(
	attempt: number,
	{ baseDelay, maxDelay }: Pick<DeliverySettings, 'baseDelay' | 'maxDelay'>,
	random: number,
): number {
	const full = Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
	return Math.round(full * (1 - random / 2));
}

/** What a delivery worker works with. */
export interface DeliveryWorkerOptions {
	db: Database;
	now: () => Date;
	settings: DeliverySettings;
	/** May duplicate and wrongly sign deliveries. */
	faults: Faults;
	/** Receives a line when deliveries cannot be recorded, and when they can again. */
	log: (line: string) => void;
	/** Receives each attempt before it is made. */
	onDelivery?: ((delivery: OutgoingDelivery) => void) | undefined;
	/** Receives each attempt after it was made, and its number. */
	onAttempt?: ((delivery: DueDelivery, attempt: Attempt, number: number) => void) | undefined;
}

/**
 * Sends what the outbox holds, at least once each (§6), from its first `wake()` on. Endpoints do not wait
 * for each other; a restart makes everything that is pending due at once. What cannot be recorded stays
 * pending, and nothing else is sent until it is recorded.
 */
export class DeliveryWorker {
	readonly #options: DeliveryWorkerOptions;
	readonly #closing = new AbortController();
	/** By delivery, until its attempts are recorded. */
	readonly #inFlight = new Map<string, { endpointId: string; sent: Promise<void> }>();
	/** What is still to be recorded, the first one first. */
	readonly #unrecorded: (() => void)[] = [];
	#isStopping = false;
	#isFailing = false;
	#timer: NodeJS.Timeout | undefined;
	/** The latest time that the clock has shown. */
	#last: Date;

	constructor(options: DeliveryWorkerOptions) {
		this.#options = options;
		this.#last = options.now();
		makePendingDue(options.db, this.#last);
	}

	/** Records what was sent and sends what is due: some may have been written, or the clock changed. */
	wake(): void {
		clearTimeout(this.#timer);
		try {
			const sleep = this.#work();
			if (this.#isFailing) this.#options.log('webhook deliveries have resumed');
			this.#isFailing = false;
			if (sleep !== undefined) this.#wakeAfter(Math.min(LONGEST_SLEEP, sleep));
		} catch (error) {
			if (!this.#isFailing) this.#options.log(describe(error));
			this.#isFailing = true;
			this.#wakeAfter(this.#options.settings.recordInterval);
		}
	}

	/**
	 * Starts nothing more and waits until nothing is in flight; after `closeTimeout`, drops what still is
	 * (it stays pending).
	 */
	async stop(): Promise<void> {
		this.#isStopping = true;
		const late = setTimeout(() => this.#closing.abort(), this.#options.settings.closeTimeout);
		await Promise.all([...this.#inFlight.values()].map(({ sent }) => sent));
		clearTimeout(late);
		clearTimeout(this.#timer);
	}

	/** Gives the milliseconds until the next delivery is due, if one is. */
	#work(): number | undefined {
		const { db, now, settings } = this.#options;
		// One reading of the clock: what falls due between two would be neither started nor waited for.
		const at = now();
		if (at < this.#last) makePendingDue(db, at);
		this.#last = at;
		for (let record = this.#unrecorded[0]; record; record = this.#unrecorded[0]) {
			record();
			this.#unrecorded.shift();
		}
		if (this.#isStopping) return undefined;
		for (const { id: endpointId } of listEndpoints(db)) {
			const room = () => settings.concurrencyPerEndpoint - this.#inFlightTo(endpointId);
			if (room() <= 0) continue;
			// What is in flight may be due again, anywhere among the rest.
			const due = dueDeliveries(db, endpointId, at, settings.concurrencyPerEndpoint);
			for (const delivery of due) {
				if (room() > 0 && !this.#inFlight.has(delivery.id)) this.#start(delivery, at);
			}
		}
		const next = nextDueAt(db, at);
		return next && next.getTime() - at.getTime();
	}

	#inFlightTo(endpointId: string): number {
		return [...this.#inFlight.values()].filter((each) => each.endpointId === endpointId).length;
	}

	#wakeAfter(ms: number): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.wake(), ms);
	}

	#start(delivery: DueDelivery, at: Date): void {
		const { db, faults } = this.#options;
		const { id, endpointId } = delivery;
		const isBad = faults.apply('bad-signature') !== undefined;
		const secrets = isBad ? [randomUUID()] : validSecrets(db, endpointId, at);
		this.#inFlight.set(id, { endpointId, sent: this.#deliver(delivery, secrets, at) });
	}

	async #deliver(delivery: DueDelivery, secrets: string[], at: Date): Promise<void> {
		const { db, faults, onDelivery, onAttempt, settings } = this.#options;
		const { signal: closing } = this.#closing;
		const options = { at, secrets, timeout: settings.timeout, closing, onDelivery };
		const copies = faults.apply('duplicate') ? [delivery, delivery] : [delivery];
		const attempts = await Promise.all(copies.map((copy) => send(copy, options)));
		for (const attempt of attempts) {
			if (closing.aborted && attempt.httpStatus === null) continue;
			onAttempt?.(delivery, attempt, delivery.attempts + 1);
			this.#unrecorded.push(() => {
				// Not before: until it can be recorded, the clock may be set back.
				const outcome = this.#outcomeOf(attempt, delivery.attempts + 1);
				recordAttempt(db, delivery, attempt, outcome);
			});
		}
		this.#unrecorded.push(() => this.#inFlight.delete(delivery.id));
		this.wake();
	}

	#outcomeOf(attempt: Attempt, attempts: number): DeliveryOutcome {
		const { now, settings } = this.#options;
		if (isAccepted(attempt)) return 'delivered';
		if (attempts >= settings.maxAttempts) return 'failed';
		return { retryAt: new Date(now().getTime() + retryDelay(attempts, settings, Math.random())) };
	}
}

const describe = (error: unknown): string =>
	`webhook deliveries are paused, as they cannot be recorded: ${reasonOf(error)}. They stay pending and resume when the database can be written again`;
