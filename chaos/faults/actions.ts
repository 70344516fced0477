import { z } from 'zod';

import type { N8nClient } from '../../harness/n8n/client.ts';
import type { Workflow } from '../../harness/n8n/workflow.ts';
import { requestOk } from '../../harness/tools/json.ts';
import { breakEveryFifth, countFrozen, endFaults, type FaultySandbox, gains } from './sandbox.ts';
import { workNode } from './workflows.ts';

/** What came of a list that was worked off while requests failed. */
export interface ActionResult {
	/** How many of its items should be done, and are. */
	wanted: number;
	done: number;
	/** How n8n's execution ended. */
	status: string;
	/** Faults by kind. */
	faults: Map<string, number>;
	tookMs: number;
}

/** A list that takes longer does not end. */
const withinMs = 1_800_000;

/** Transfers 0.01, 0.02, 0.03 … USD while every fifth request fails; gives what the sandbox has done. */
export async function runTransfers(
	n8n: N8nClient,
	sandbox: FaultySandbox,
	workflow: Workflow,
	count: number,
): Promise<ActionResult> {
	const cents = Array.from({ length: count }, (_, index) => index + 1);
	const items = cents.map((amount) => ({ amount: (amount / 100).toFixed(2) }));
	const { outputs, ...run } = await workOff(n8n, sandbox, workflow, items);
	const made = outputs.map((item) => z.object({ id: z.string() }).parse(item).id);
	return { ...run, wanted: count, done: new Set(made).size };
}

/**
 * Whether exactly the sum of {@link runTransfers} has moved: with as many different transfers as items,
 * one more would make it larger. Voids the API key, so it comes last.
 */
export async function isSumRight(sandbox: FaultySandbox, count: number): Promise<boolean> {
	const sum = (count * (count + 1)) / 2;
	return (await gains(sandbox)).join() === [-sum, sum].join();
}

/** Freezes cards while every fifth request fails; gives how many are frozen. */
export async function runFreezes(
	n8n: N8nClient,
	sandbox: FaultySandbox,
	workflow: Workflow,
	cardIds: readonly string[],
): Promise<ActionResult> {
	const items = cardIds.map((cardId) => ({ cardId }));
	const { status, faults, tookMs } = await workOff(n8n, sandbox, workflow, items);
	const done = await countFrozen(sandbox, cardIds);
	return { status, faults, tookMs, wanted: cardIds.length, done };
}

async function workOff(
	n8n: N8nClient,
	sandbox: FaultySandbox,
	workflow: Workflow,
	items: object[],
): Promise<Pick<ActionResult, 'status' | 'faults' | 'tookMs'> & { outputs: unknown[] }> {
	await breakEveryFifth(sandbox);
	const started = performance.now();
	await requestOk(n8n.webhookUrl(workflow), { method: 'POST', body: { items } });
	const [{ status, nodes }] = await n8n.waitForExecutions(workflow.id, 1, {
		withinMs,
		everyMs: 1_000,
	});
	const tookMs = performance.now() - started;
	const outputs = nodes.find(({ name }) => name === workNode)?.items ?? [];
	return { status, outputs, faults: await endFaults(sandbox), tookMs };
}
