import type { N8n } from '../../harness/n8n/n8n.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import type { Subscription } from '../../sandbox/client.ts';
import type { Counter } from '../queue/counter.ts';
import { deliveriesAtATime, type FaultySandbox } from './sandbox.ts';

/** What came of deliveries during which n8n was killed. */
export interface CrashResult {
	events: number;
	executed: number;
	/** Executions beyond the first of an event; `mostExtra` is what was under way when n8n was killed. */
	extra: number;
	mostExtra: number;
	failedAttempts: number;
	kills: number;
	tookMs: number;
}

const withinMs = 1_800_000;

/**
 * Lets `count` purchases happen, whose events the sandbox delivers, and kills n8n (SIGKILL) and starts
 * it again when a third, and when two thirds of them are done. Gives what the workflow has done.
 */
export async function deliverThroughCrashes(
	n8n: N8n,
	sandbox: FaultySandbox,
	{ id: endpointId }: Subscription,
	cardId: string,
	counter: Counter,
	count: number,
	report: (text: string) => void,
): Promise<CrashResult> {
	const started = performance.now();
	const ids: string[] = [];
	for (let number = 1; number <= count; number++) {
		const purchase = { amount: '1.00', merchantName: 'Corner Bakery', merchantCountry: 'US' };
		ids.push((await sandbox.control.authorize({ cardId, ...purchase })).event.id);
	}
	const killAt = [Math.floor(count / 3), Math.floor((2 * count) / 3)];
	for (const enough of killAt) {
		// What a crash loses never comes: then all is delivered, and that has to be enough.
		const isDone = async () => counter.done.size >= enough || (await isOver(sandbox, endpointId));
		await waitUntil(async () => ((await isDone()) ? true : undefined), {
			what: `${enough} events`,
			withinMs,
			everyMs: 250,
		});
		await n8n.kill();
		report(`   n8n was killed (SIGKILL) after ${counter.done.size} events`);
		await n8n.start();
	}
	const isEnd = async () => ((await isOver(sandbox, endpointId)) ? true : undefined);
	await waitUntil(isEnd, { what: 'the last delivery', withinMs, everyMs: 500 });
	const attempts = (await sandbox.control.deliveries({ endpointId })).flatMap(
		(each) => each.attempts,
	);
	const failed = attempts.filter(({ httpStatus }) => httpStatus === null || httpStatus >= 300);
	const times = ids.map((id) => counter.done.get(id) ?? 0);
	const executed = times.filter((each) => each > 0).length;
	return {
		events: count,
		executed,
		extra: times.reduce((sum, each) => sum + each, 0) - executed,
		mostExtra: killAt.length * deliveriesAtATime,
		failedAttempts: failed.length,
		kills: killAt.length,
		tookMs: performance.now() - started,
	};
}

async function isOver({ control }: FaultySandbox, endpointId: string): Promise<boolean> {
	const deliveries = await control.deliveries({ endpointId });
	return deliveries.every(({ status }) => status !== 'pending');
}
