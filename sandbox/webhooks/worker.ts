import { randomUUID } from 'node:crypto';

import { Agent } from 'undici';

import type { Database } from '../database/database.ts';
import type { Faults } from '../faults/faults.ts';
import { type BackoffSettings, retryDelay } from './backoff.ts';
import { validSecrets } from './endpoint.ts';
import {
	type Attempt,
	type DeliveryOutcome,
	dueDeliveries,
	type DueDelivery,
	endpointsWithDue,
	isAccepted,
	makePendingDue,
	nextDueAt,
	nextDueAtOf,
	postpone,
	recordAttempt,
} from './outbox.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type OutgoingDelivery, send } from './send.ts';

/** How deliveries are made (assumption DELIVERY_SETTINGS, §6); times in milliseconds. */
export interface DeliverySettings extends BackoffSettings {
	maxAttempts: number;
	timeout: number;
	/** Deliveries to one endpoint that may be in flight at once. */
	concurrencyPerEndpoint: number;
	/** How long deliveries in flight may take to finish when the sandbox closes. */
	closeTimeout: number;
	/** The time between two attempts to record what could not be recorded, as the disk is full. */
	recordInterval: number;
}

/** Longest sleep in ms: the sandbox's clock may run ahead of the timer's. */
const LONGEST_SLEEP = 1_000;

/** What a delivery worker works with. */
export interface DeliveryWorkerOptions {
	db: Database;
	now: () => Date;
	settings: DeliverySettings;
	/** May duplicate, hold back and wrongly sign deliveries. */
	faults: Faults;
	/** Receives a line when deliveries cannot be recorded, and when they can again. */
	log: (line: string) => void;
	/** Receives each attempt. */
	onDelivery?: ((delivery: OutgoingDelivery) => void) | undefined;
}

/**
 * Sends what the outbox holds, at least once each (§6), from its first `wake()` on. Endpoints do not wait
 * for each other; a restart makes everything that is pending due at once. What cannot be recorded stays
 * pending, and nothing else is sent until it is recorded.
 */
export class DeliveryWorker {
	readonly #options: DeliveryWorkerOptions;
	readonly #recorder: Recorder;
	readonly #dispatcher = new Agent();
	readonly #closing = new AbortController();
	/** By endpoint, then by delivery. */
	readonly #inFlight = new Map<string, Map<string, Promise<void>>>();
	readonly #heldBack = new Set<string>();
	#isStopping = false;
	/** Whether deliveries may be due that were not started, as others could not be recorded. */
	#isPaused = false;
	#timer: NodeJS.Timeout | undefined;
	#wakesAt = Infinity;

	constructor(options: DeliveryWorkerOptions) {
		this.#options = options;
		this.#recorder = createRecorder(options.settings.recordInterval, options.log);
		makePendingDue(options.db, options.now());
	}

	/** Looks for due deliveries now: some were written, or the clock was changed. */
	wake(): void {
		clearTimeout(this.#timer);
		this.#wakesAt = Infinity;
		const { db } = this.#options;
		this.#attempt((at) => {
			for (const endpointId of endpointsWithDue(db, at)) this.#startDue(endpointId, at);
			this.#wakeAt(nextDueAt(db, at), at);
		});
	}

	/**
	 * Starts nothing more and waits until nothing is in flight; after `closeTimeout`, drops what still is
	 * (it stays pending).
	 */
	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#timer);
		const late = setTimeout(() => this.#closing.abort(), this.#options.settings.closeTimeout);
		await Promise.all(
			[...this.#inFlight.values()].flatMap((ofEndpoint) => [...ofEndpoint.values()]),
		);
		clearTimeout(late);
		await this.#dispatcher.destroy();
	}

	/** What is sent while something cannot be recorded could not be recorded either, and would be sent again. */
	#attempt(work: (at: Date) => void): void {
		if (this.#isStopping) return;
		this.#isPaused = this.#recorder.isWaiting();
		if (this.#isPaused) return;
		// One reading of the clock: what falls due between two would be neither started nor waited for.
		const at = this.#options.now();
		if (!this.#recorder.attempt(() => work(at))) {
			this.#wakeAfter(this.#options.settings.recordInterval);
		}
	}

	/** An earlier time stays: it is another endpoint's. */
	#wakeAt(due: Date | undefined, at: Date): void {
		if (due === undefined || due.getTime() >= this.#wakesAt) return;
		this.#wakesAt = due.getTime();
		this.#wakeAfter(Math.min(LONGEST_SLEEP, due.getTime() - at.getTime()));
	}

	#wakeAfter(ms: number): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.wake(), ms);
	}

	/**
	 * Starts what is due for an endpoint, as far as its limit allows. What is in flight may be due again,
	 * anywhere among the rest. With n of it, at most n of the first `limit` rows are passed over, and the others
	 * fill the places that are left.
	 */
	#startDue(endpointId: string, at: Date): void {
		const { db, faults, settings } = this.#options;
		const limit = settings.concurrencyPerEndpoint;
		const ofEndpoint = this.#inFlight.get(endpointId) ?? new Map<string, Promise<void>>();
		if (ofEndpoint.size >= limit) return;
		for (const delivery of dueDeliveries(db, endpointId, at, limit)) {
			if (ofEndpoint.size >= limit) break;
			if (ofEndpoint.has(delivery.id) || this.#holdBack(delivery, at)) continue;
			const secrets = faults.apply('bad-signature')
				? [randomUUID()]
				: validSecrets(db, endpointId, at);
			ofEndpoint.set(delivery.id, this.#deliver(delivery, secrets, at));
			this.#inFlight.set(endpointId, ofEndpoint);
		}
	}

	/** A delivery is held back once, and only before its first attempt. */
	#holdBack({ id, attempts }: DueDelivery, at: Date): boolean {
		if (attempts > 0 || this.#heldBack.delete(id)) return false;
		const rule = this.#options.faults.apply('reorder');
		if (!rule) return false;
		this.#heldBack.add(id);
		postpone(this.#options.db, id, new Date(at.getTime() + rule.ms));
		return true;
	}

	async #deliver(delivery: DueDelivery, secrets: string[], at: Date): Promise<void> {
		const { db, faults, onDelivery, settings } = this.#options;
		const { signal } = this.#closing;
		const { timeout } = settings;
		const options = {
			at,
			secrets,
			timeout,
			dispatcher: this.#dispatcher,
			closing: signal,
			onDelivery,
		};
		const copies = faults.apply('duplicate') ? [delivery, delivery] : [delivery];
		const attempts = await Promise.all(copies.map((copy) => send(copy, options)));
		for (const attempt of attempts) {
			if (signal.aborted && attempt.httpStatus === null) continue;
			await this.#recorder.persist(() => {
				// Again each time: until it can be recorded, the clock may be set back.
				const outcome = this.#outcomeOf(attempt, delivery.attempts + 1);
				recordAttempt(db, delivery, attempt, outcome);
			}, signal);
		}
		this.#end(delivery);
	}

	#outcomeOf(attempt: Attempt, attempts: number): DeliveryOutcome {
		const { now, settings } = this.#options;
		if (isAccepted(attempt)) return 'delivered';
		if (attempts >= settings.maxAttempts) return 'failed';
		return { retryAt: new Date(now().getTime() + retryDelay(attempts, settings, Math.random())) };
	}

	/** The end of a delivery makes room for its own endpoint only: no other is looked at. */
	#end({ id, endpointId }: DueDelivery): void {
		const ofEndpoint = this.#inFlight.get(endpointId);
		ofEndpoint?.delete(id);
		if (ofEndpoint?.size === 0) this.#inFlight.delete(endpointId);
		if (this.#isPaused) {
			this.wake();
			return;
		}
		this.#attempt((at) => {
			this.#startDue(endpointId, at);
			this.#wakeAt(nextDueAtOf(this.#options.db, endpointId, at), at);
		});
	}
}
