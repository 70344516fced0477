import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { smallPurchase } from './sandbox.ts';

/** What mixed load has come to so far. */
export interface Load {
	/** Ids of the events of purchases. */
	events: string[];
	/** Forged deliveries, by the status of the answer. */
	forged: Map<number, number>;
}

const purchaseEveryMs = 300;
const forgeEveryMs = 1_000;

/**
 * Makes purchases, on one card after the other, and lets somebody without the secret report others, until
 * `signal` aborts.
 */
export async function keepBusy(
	load: Load,
	{ sandbox }: SandboxFixture,
	webhookUrl: string,
	cardIds: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	const buy = async () => {
		for (let turn = 0; !signal.aborted; turn++) {
			const cardId = cardIds[turn % cardIds.length] ?? '';
			load.events.push((await sandbox.authorize({ cardId, ...smallPurchase })).event.id);
			await pause(purchaseEveryMs);
		}
	};
	const forge = async () => {
		while (!signal.aborted) {
			const status = await deliver(webhookUrl, signedDelivery({ id: randomUUID() }, 'a guess'));
			load.forged.set(status, (load.forged.get(status) ?? 0) + 1);
			await pause(forgeEveryMs);
		}
	};
	await Promise.all([buy(), forge()]);
}

/** Waits until each event was delivered; gives how many were not, and never will be. */
export async function countUndelivered(
	events: readonly string[],
	{ sandbox }: SandboxFixture,
): Promise<number> {
	let failed = 0;
	for (const id of events) {
		const probe = async () => {
			const [delivery] = await sandbox.deliveries({ eventId: id });
			return delivery?.status === 'pending' ? undefined : delivery?.status;
		};
		const status = await waitUntil(probe, { what: `event ${id}`, withinMs: 300_000 });
		if (status !== 'delivered') failed++;
	}
	return failed;
}
