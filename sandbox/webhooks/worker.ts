import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import type { Database } from '../database/database.ts';
import type { Faults } from '../faults/faults.ts';
import { retryDelay, type BackoffSettings } from './backoff.ts';
import { listEndpoints, validSecrets } from './endpoint.ts';
import {
	dueDeliveries,
	makePendingDue,
	nextDueAt,
	postpone,
	recordAttempt,
	type Attempt,
	type DeliveryOutcome,
	type DueDelivery,
} from './outbox.ts';
import { send, type OutgoingDelivery } from './send.ts';

/** How deliveries are made (assumption DELIVERY_SETTINGS, §6); times in milliseconds. */
export interface DeliverySettings extends BackoffSettings {
	maxAttempts: number;
	timeout: number;
	/** Deliveries to one endpoint that may be on their way at once. */
	concurrencyPerEndpoint: number;
}

/** Sends the deliveries of one sandbox. */
export interface DeliveryWorker {
	/** Looks for due deliveries now: some were written, or the clock was changed. */
	wake(): void;
	/** Drops what is on its way (it stays pending), waits until nothing runs any more. */
	stop(): Promise<void>;
}

/** Longest sleep in ms: the sandbox's clock may run ahead of the timer's. */
const LONGEST_SLEEP = 1_000;

/**
 * Starts sending what the outbox holds, at least once each (§6). Endpoints do not wait for each
 * other; a restart makes everything that is pending due at once. `faults` may
 * duplicate, hold back and wrongly sign deliveries; `onDelivery` receives each attempt.
 */
export function startDeliveryWorker(
	db: Database,
	now: () => Date,
	settings: DeliverySettings,
	faults: Faults,
	onDelivery?: (delivery: OutgoingDelivery) => void,
): DeliveryWorker {
	const closing = new AbortController();
	const dispatcher = new Agent();
	const onTheirWay = new Map<string, Promise<void>>();
	const heldBack = new Set<string>();
	let timer: NodeJS.Timeout | undefined;

	const outcomeOf = (attempt: Attempt, attempts: number): DeliveryOutcome => {
		const { httpStatus } = attempt;
		if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return 'delivered';
		if (attempts >= settings.maxAttempts) return 'failed';
		return { retryAt: new Date(now().getTime() + retryDelay(attempts, settings, Math.random())) };
	};

	const deliver = async (delivery: DueDelivery): Promise<void> => {
		const at = now();
		const secrets = faults.apply('bad-signature')
			? [randomUUID()]
			: validSecrets(db, delivery.endpointId, at);
		const { timeout } = settings;
		const options = { at, secrets, timeout, dispatcher, closing: closing.signal, onDelivery };
		const copies = faults.apply('duplicate') ? [delivery, delivery] : [delivery];
		const attempts = await Promise.all(copies.map((copy) => send(copy, options)));
		onTheirWay.delete(delivery.id);
		for (const attempt of attempts) {
			if (closing.signal.aborted && attempt.httpStatus === null) return;
			recordAttempt(db, delivery.id, attempt, outcomeOf(attempt, delivery.attempts + 1));
		}
		wake();
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

	// What is on its way to an endpoint was due before what waits, so the limit is on both together.
	const startDue = (endpointId: string, at: Date): void => {
		const due = dueDeliveries(db, endpointId, at, settings.concurrencyPerEndpoint);
		for (const delivery of due) {
			if (onTheirWay.has(delivery.id) || holdBack(delivery, at)) continue;
			onTheirWay.set(delivery.id, deliver(delivery));
		}
	};

	const wake = (): void => {
		clearTimeout(timer);
		if (closing.signal.aborted) return;
		// One reading of the clock: what falls due between two would be neither started nor waited for.
		const at = now();
		for (const { id } of listEndpoints(db)) startDue(id, at);
		const due = nextDueAt(db, at);
		if (!due) return;
		timer = setTimeout(wake, Math.min(LONGEST_SLEEP, due.getTime() - at.getTime()));
	};

	makePendingDue(db, now());
	wake();
	return {
		wake,
		stop: async () => {
			closing.abort();
			clearTimeout(timer);
			await Promise.all(onTheirWay.values());
			await dispatcher.destroy();
		},
	};
}
