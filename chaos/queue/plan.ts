import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import type { Task } from './sender.ts';

/** One of this many events is a duplicate: 5 %. */
const duplicateEvery = 20;

/** What is sent: events, each at least once, with 5 % duplicates. */
export interface Plan {
	tasks: Task[];
	ids: string[];
	duplicates: number;
}

/** Plans the deliveries of `count` events. Of the duplicates, half come in the same moment, half at the end. */
export function planDeliveries(count: number): Plan {
	const tasks = Array.from({ length: count }, (_, index) => ({
		event: realisticEvent(),
		twin: index % (2 * duplicateEvery) === 0,
	}));
	const late = tasks.filter((_, index) => index % (2 * duplicateEvery) === duplicateEvery);
	return {
		tasks: [...tasks, ...late],
		ids: tasks.map(({ event }) => event.id),
		duplicates: Math.ceil(count / duplicateEvery),
	};
}
