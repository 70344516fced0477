import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

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

/**
 * Longest sleep in ms: the sandbox's clock may run ahead of the timer's, or be set back; a full disk may have room
 * again.
 */
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
	/** Receives a line when a delivery cannot be recorded, or what is due cannot be read. */
	log: (line: string) => void;
	/** Receives each attempt before it is made. */
	onDelivery?: ((delivery: OutgoingDelivery) => void) | undefined;
	/** Receives each attempt after it was made, and its number. */
	onAttempt?: ((delivery: DueDelivery, attempt: Attempt, number: number) => void) | undefined;
}

/**
 * Sends what the outbox holds, at least once each (§6), from its first `wake()` on. Endpoints do not wait for each
 * other; a restart makes everything that is pending due at once.
 */
export class DeliveryWorker {
	readonly #options: DeliveryWorkerOptions;
	readonly #stopping = new AbortController();
	/** By delivery, until its attempts are recorded. */
	readonly #inFlight = new Map<string, { endpointId: string; recorded: Promise<void> }>();
	#timer: NodeJS.Timeout | undefined;
	/** The latest time that the clock has shown. */
	#last: Date;

	constructor(options: DeliveryWorkerOptions) {
		this.#options = options;
		this.#last = options.now();
		makePendingDue(options.db, this.#last);
	}

	/** Sends what is due: some may have been written, or the clock changed. */
	wake(): void {
		clearTimeout(this.#timer);
		if (this.#stopping.signal.aborted) return;
		let sleep: number | undefined = LONGEST_SLEEP;
		try {
			sleep = this.#startDue();
		} catch (error) {
			this.#options.log(`webhook deliveries wait: ${reasonOf(error)}`);
		}
		if (sleep === undefined) return;
		this.#timer = setTimeout(() => this.wake(), Math.min(LONGEST_SLEEP, sleep));
	}

	/** Drops what is in flight: it stays pending. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		clearTimeout(this.#timer);
		await Promise.all([...this.#inFlight.values()].map(({ recorded }) => recorded));
	}

	/** Gives the milliseconds until the next delivery is due, if one is. */
	#startDue(): number | undefined {
		const { db, now, settings } = this.#options;
		// One reading of the clock: what falls due between two would be neither started nor waited for.
		const at = now();
		if (at < this.#last) makePendingDue(db, at);
		this.#last = at;
		for (const { id: endpointId } of listEndpoints(db)) {
			const most = settings.concurrencyPerEndpoint;
			const inFlight = [...this.#inFlight.values()].filter((one) => one.endpointId === endpointId);
			// What is in flight is still due, anywhere among the rest.
			const due = dueDeliveries(db, endpointId, at, most).filter(
				({ id }) => !this.#inFlight.has(id),
			);
			for (const delivery of due.slice(0, most - inFlight.length)) this.#start(delivery, at);
		}
		const next = nextDueAt(db, at);
		return next && next.getTime() - at.getTime();
	}

	#start(delivery: DueDelivery, at: Date): void {
		const { db, faults } = this.#options;
		const { id, endpointId } = delivery;
		const isBad = faults.apply('bad-signature') !== undefined;
		const secrets = isBad ? [randomUUID()] : validSecrets(db, endpointId, at);
		this.#inFlight.set(id, { endpointId, recorded: this.#deliver(delivery, secrets, at) });
	}

	async #deliver(delivery: DueDelivery, secrets: string[], at: Date): Promise<void> {
		const { faults, onDelivery, onAttempt, settings } = this.#options;
		const { signal: closing } = this.#stopping;
		const options = { at, secrets, timeout: settings.timeout, closing, onDelivery };
		const copies = faults.apply('duplicate') ? [delivery, delivery] : [delivery];
		for (const attempt of await Promise.all(copies.map((copy) => send(copy, options)))) {
			if (closing.aborted && attempt.httpStatus === null) continue;
			onAttempt?.(delivery, attempt, delivery.attempts + 1);
			await this.#record(delivery, attempt);
		}
		this.#inFlight.delete(delivery.id);
		this.wake();
	}

	/** Records an attempt; while the disk is full, it tries again. Until then, the delivery is not sent again. */
	async #record({ id, attempts }: DueDelivery, attempt: Attempt): Promise<void> {
		const { db, log } = this.#options;
		const { signal } = this.#stopping;
		for (let tries = 0; tries === 0 || !signal.aborted; tries++) {
			try {
				recordAttempt(db, id, attempt, this.#outcomeOf(attempt, attempts + 1));
				return;
			} catch (error) {
				if (tries === 0) log(`a webhook delivery cannot be recorded yet: ${reasonOf(error)}`);
				await pause(LONGEST_SLEEP, undefined, { signal }).catch(() => undefined);
			}
		}
	}

	#outcomeOf(attempt: Attempt, attempts: number): DeliveryOutcome {
		const { now, settings } = this.#options;
		if (isAccepted(attempt)) return 'delivered';
		if (attempts >= settings.maxAttempts) return 'failed';
		return { retryAt: new Date(now().getTime() + retryDelay(attempts, settings, Math.random())) };
	}
}
