import type { N8n } from '../../harness/n8n/n8n.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { type Reporter, seconds } from '../../harness/tools/terminal.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { type Counter, countExecutions, deliveredAll } from '../lib/counter.ts';
import { crash } from '../lib/crashes.ts';
import { deliveriesAtATime, smallPurchase } from './sandbox.ts';

const withinMs = 1_800_000;

/**
 * Makes `count` purchases, whose events the sandbox delivers, and kills n8n (SIGKILL) and starts it again
 * when a third, and when two thirds of them are done. Gives whether the workflow has dealt with each event,
 * and repeated none beyond what was under way when n8n was killed.
 */
export async function deliverThroughCrashes(
	reporter: Reporter,
	n8n: N8n,
	{ sandbox }: SandboxFixture,
	endpointId: string,
	cardId: string,
	counter: Counter,
	count: number,
): Promise<boolean> {
	const started = performance.now();
	const ids: string[] = [];
	for (let number = 1; number <= count; number++) {
		ids.push((await sandbox.authorize({ cardId, ...smallPurchase })).event.id);
	}
	const isOver = async () =>
		(await sandbox.deliveries({ endpointId })).every(({ status }) => status !== 'pending');
	const killAt = [Math.floor(count / 3), Math.floor((2 * count) / 3)];
	for (const enough of killAt) {
		// What a crash loses never comes: then all is delivered, and that has to be enough.
		const isTime = async () => counter.done.size >= enough || (await isOver());
		await waitUntil(isTime, { what: `${enough} events`, withinMs, everyMs: 250 });
		await crash(reporter, `n8n, after ${counter.done.size} events,`, n8n);
	}
	await waitUntil(isOver, { what: 'the last delivery', withinMs, everyMs: 500 });
	const took = seconds(performance.now() - started);
	const attempts = (await sandbox.deliveries({ endpointId })).flatMap((each) => each.attempts);
	const failed = attempts.filter(({ httpStatus }) => httpStatus === null || httpStatus >= 300);
	const executions = countExecutions(ids, counter);
	const mostExtra = killAt.length * deliveriesAtATime;
	reporter.line(`Deliveries: ${executions.executed} of ${count} executed; ${took}`);
	reporter.line(`   attempts that failed and were repeated by the sandbox: ${failed.length}`);
	reporter.line(
		`   executions beyond the first of an event: ${executions.extra} (at most ${mostExtra})`,
	);
	return deliveredAll(executions, mostExtra);
}
