import { realisticEvent } from '../harness/scenario/realisticEvent.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import type { CheckContext } from './cluster.ts';
import type { CountingWorkflow } from './countingWorkflow.ts';
import { type Failures, sendAll } from './sender.ts';

/** How many deliveries are under way at a time. */
const inFlight = 20;

/** Something that happens once this share of all deliveries was accepted. */
type Disturbance = readonly [share: number, disturb: () => Promise<void>];

/** What a workflow got. */
interface Delivered {
	events: { id: string }[];
	failures: Failures;
}

/**
 * Delivers new events to workflows at the same time, `count` to each, and disturbs that. Resolves when all were
 * accepted and every disturbance is over.
 */
export async function deliver<const Workflows extends readonly CountingWorkflow[]>(
	{ balancer }: CheckContext,
	workflows: Workflows,
	count: number,
	disturbances: readonly Disturbance[],
): Promise<{ [Each in keyof Workflows]: Delivered }> {
	let accepted = 0;
	const onDelivered = () => accepted++;
	const disturbed = disturbances.map(async ([share, disturb]) => {
		const isTime = () => accepted >= workflows.length * count * share;
		await waitUntil(isTime, { what: 'deliveries', withinMs: 3_600_000, everyMs: 5 });
		await disturb();
	});
	const sendings = workflows.map(async (workflow) => {
		const events = Array.from({ length: count }, realisticEvent);
		const options = { balancer, workflow, inFlight: inFlight / workflows.length, onDelivered };
		return { events, failures: await sendAll(events, options) };
	});
	const [delivered] = await Promise.all([Promise.all(sendings), ...disturbed]);
	return delivered as { [Each in keyof Workflows]: Delivered };
}
