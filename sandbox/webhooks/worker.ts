import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import type { Database } from '../database/database.ts';
import type { Faults } from '../faults/faults.ts';
import { retryDelay, type BackoffSettings } from './backoff.ts';
import { validSecrets } from './endpoint.ts';
import {
	dueDeliveries,
	endpointsWithDue,
	makePendingDue,
	nextDueAt,
	nextDueAtOf,
	postpone,
	recordAttempt,
	type Attempt,
	type DeliveryOutcome,
	type DueDelivery,
} from './outbox.ts';
import { createRecorder } from './recorder.ts';
import { send, type OutgoingDelivery } from './send.ts';

/** How deliveries are made (assumption DELIVERY_SETTINGS, §6); times in milliseconds. */
export interface DeliverySettings extends BackoffSettings {
	maxAttempts: number;
	timeout: number;
	/** Deliveries to one endpoint that may be on their way at once. */
	concurrencyPerEndpoint: number;
	/** How long deliveries on their way may take to finish when the sandbox closes. */
	closeTimeout: number;
	/** The time between two attempts to record what could not be recorded, as the disk is full. */
	recordInterval: number;
}

/** Sends the deliveries of one sandbox. */
export interface DeliveryWorker {
	/** Looks for due deliveries now: some were written, or the clock was changed. */
	wake: () => void;
	/**
	 * Starts nothing more and waits until nothing is on its way; after `closeTimeout`, drops what still is
	 * (it stays pending).
	 */
	stop(): Promise<void>;
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
 * Makes a worker that sends what the outbox holds, at least once each (§6), from its first `wake()` on.
 * Endpoints do not wait for each other; a restart makes everything that is pending due at once. What
 * cannot be recorded stays pending, and nothing else is sent until it is recorded.
 */
export function createDeliveryWorker({
	db,
	now,
	settings,
	faults,
	log,
	onDelivery,
}: DeliveryWorkerOptions): DeliveryWorker {
	const closing = new AbortController();
	const dispatcher = new Agent();
	const recorder = createRecorder(settings.recordInterval, log);
	/** By endpoint, then by delivery. */
	const onTheirWay = new Map<string, Map<string, Promise<void>>>();
	const heldBack = new Set<string>();
	let stopping = false;
	let timer: NodeJS.Timeout | undefined;
	let wakesAt = Infinity;
	/** Whether deliveries may be due that were not started, as others could not be recorded. */
	let isPaused = false;

	const outcomeOf = (attempt: Attempt, attempts: number): DeliveryOutcome => {
		const { httpStatus } = attempt;
		if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return 'delivered';
		if (attempts >= settings.maxAttempts) return 'failed';
		return { retryAt: new Date(now().getTime() + retryDelay(attempts, settings, Math.random())) };
	};

	const deliver = async (delivery: DueDelivery, secrets: string[], at: Date): Promise<void> => {
		const { timeout } = settings;
		const options = { at, secrets, timeout, dispatcher, closing: closing.signal, onDelivery };
		const copies = faults.apply('duplicate') ? [delivery, delivery] : [delivery];
		const attempts = await Promise.all(copies.map((copy) => send(copy, options)));
		for (const attempt of attempts) {
			if (closing.signal.aborted && attempt.httpStatus === null) continue;
			await recorder.persist(() => {
				// Again each time: until it can be recorded, the clock may be set back.
				const outcome = outcomeOf(attempt, delivery.attempts + 1);
				recordAttempt(db, delivery, attempt, outcome);
			}, closing.signal);
		}
		const toEndpoint = onTheirWay.get(delivery.endpointId);
		toEndpoint?.delete(delivery.id);
		if (toEndpoint?.size === 0) onTheirWay.delete(delivery.endpointId);
		if (isPaused) wake();
		else continueWith(delivery.endpointId);
	};

	// A delivery is held back once, and only before its first attempt.
	const holdBack = ({ id, attempts }: DueDelivery, at: Date): boolean => {
		if (attempts > 0 || heldBack.delete(id)) return false;
		const rule = faults.apply('reorder');
		if (!rule) return false;
		heldBack.add(id);
		postpone(db, id, new Date(at.getTime() + rule.ms));
		return true;
	};

	// What is on its way may be due again, anywhere among the rest. With n of it, n of the first `limit` rows are
	// passed over at most, and the others fill the places that are left.
	const startDue = (endpointId: string, at: Date): void => {
		const limit = settings.concurrencyPerEndpoint;
		const toEndpoint = onTheirWay.get(endpointId) ?? new Map<string, Promise<void>>();
		if (toEndpoint.size >= limit) return;
		for (const delivery of dueDeliveries(db, endpointId, at, limit)) {
			if (toEndpoint.size >= limit) break;
			if (toEndpoint.has(delivery.id) || holdBack(delivery, at)) continue;
			const secrets = faults.apply('bad-signature')
				? [randomUUID()]
				: validSecrets(db, endpointId, at);
			toEndpoint.set(delivery.id, deliver(delivery, secrets, at));
			onTheirWay.set(endpointId, toEndpoint);
		}
	};

	// What is sent while something cannot be recorded could not be recorded either, and would be sent again.
	const start = (work: (at: Date) => void): void => {
		if (stopping) return;
		isPaused = recorder.isWaiting();
		if (isPaused) return;
		// One reading of the clock: what falls due between two would be neither started nor waited for.
		const at = now();
		if (!recorder.attempt(() => work(at))) wakeAfter(settings.recordInterval);
	};

	const wake = (): void => {
		clearTimeout(timer);
		wakesAt = Infinity;
		start((at) => {
			for (const endpointId of endpointsWithDue(db, at)) startDue(endpointId, at);
			wakeAt(nextDueAt(db, at), at);
		});
	};

	// The end of a delivery makes room for its own endpoint only: no other is looked at.
	const continueWith = (endpointId: string): void =>
		start((at) => {
			startDue(endpointId, at);
			wakeAt(nextDueAtOf(db, endpointId, at), at);
		});

	// An earlier time stays: it is another endpoint's.
	const wakeAt = (due: Date | undefined, at: Date): void => {
		if (due === undefined || due.getTime() >= wakesAt) return;
		wakesAt = due.getTime();
		wakeAfter(Math.min(LONGEST_SLEEP, due.getTime() - at.getTime()));
	};

	const wakeAfter = (ms: number): void => {
		clearTimeout(timer);
		timer = setTimeout(wake, ms);
	};

	makePendingDue(db, now());
	return {
		wake,
		stop: async () => {
			stopping = true;
			clearTimeout(timer);
			const late = setTimeout(() => closing.abort(), settings.closeTimeout);
			await Promise.all([...onTheirWay.values()].flatMap((toEndpoint) => [...toEndpoint.values()]));
			clearTimeout(late);
			await dispatcher.destroy();
		},
	};
}
