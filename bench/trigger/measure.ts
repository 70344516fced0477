import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { assert } from '../../harness/tools/errors.ts';
import type { BenchN8n } from '../n8n/start.ts';
import { type Receiver, signingSecret } from './contenders.ts';
import { sendAll } from './load.ts';

/** The name of the rate that {@link measureBurst} measures. */
export const perSecond = 'deliveries';

/** The units of what {@link measureBurst} measures. */
export const burstUnits = { [perSecond]: '/s', p50: 'ms', p95: 'ms', p99: 'ms' } as const;

/** Deliveries of one turn. */
export interface Burst {
	deliveries: number;
	inFlight: number;
	/** False for deliveries with a wrong signature. */
	genuine: boolean;
}

const check = (condition: boolean, message: string) =>
	assert(
		condition,
		message,
		'Its figures would say nothing. Look at what the n8n of the bench does.',
	);

/**
 * Sends a burst to a receiver and waits until n8n is done with it, its executions included.
 *
 * @returns deliveries a second, and percentiles of the time to the answer in ms
 * @throws UserError where an answer is not what it should be, or an execution fails
 */
export async function measureBurst(
	{ n8n, table }: BenchN8n,
	{ name, workflow, sign, forged }: Receiver,
	{ deliveries, inFlight, genuine }: Burst,
	signal: AbortSignal,
): Promise<Record<string, number>> {
	const secret = genuine ? signingSecret : 'a secret that somebody has made up';
	const status = genuine ? 200 : forged.status;
	const started = genuine || forged.starts ? deliveries : 0;
	const made = Array.from({ length: deliveries }, () => sign(realisticEvent(), secret));
	const before = table.count(workflow.id).total;

	const { startedAt, answeredAt, statuses, latency } = await sendAll(
		n8n.webhookUrl(workflow),
		made,
		inFlight,
		signal,
	);
	await table.untilEnded(workflow.id, before + started, { signal });
	const doneAt = started > 0 ? performance.now() : answeredAt;

	const answers = [...statuses].map(([code, count]) => `${count} × ${code}`).join(', ');
	check(statuses.get(status) === deliveries, `${name} answered ${answers}, not ${status}`);
	const rows = table.count(workflow.id).total - before;
	check(rows === started, `${name} has left ${rows} executions, not ${started}`);
	const milliseconds = (percentile: number) => latency.percentile(percentile) / 1000;
	return {
		[perSecond]: (deliveries / (doneAt - startedAt)) * 1000,
		p50: milliseconds(50),
		p95: milliseconds(95),
		p99: milliseconds(99),
	};
}
