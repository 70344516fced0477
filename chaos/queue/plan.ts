import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import type { Task } from './sender.ts';

/** One of this many events is a duplicate: 5 %. */
const duplicateEvery = 20;

/** How many other deliveries come between an event and its late duplicate. */
const lateAfter = 100;

/** What is sent: `events` events, each at least once, with 5 % duplicates. */
export interface Plan {
	tasks: Task[];
	ids: string[];
	duplicates: number;
	/** All of these together: events and duplicates. */
	deliveries: number;
}

/** Plans the deliveries of `count` events. Of the duplicates, half come in the same moment, half later. */
export function planDeliveries(count: number): Plan {
	const tasks: Task[] = [];
	const late: { at: number; task: Task }[] = [];
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		const event = realisticEvent();
		ids.push(event.id);
		const isDuplicate = index % duplicateEvery === 0;
		const twin = isDuplicate && index % (2 * duplicateEvery) === 0;
		tasks.push({ event, twin });
		if (isDuplicate && !twin) {
			late.push({ at: index + lateAfter, task: { event, twin: false } });
		}
		while (late[0] !== undefined && late[0].at <= index) tasks.push(...takeFirst(late));
	}
	tasks.push(...late.map(({ task }) => task));
	const duplicates = Math.ceil(count / duplicateEvery);
	return { tasks, ids, duplicates, deliveries: count + duplicates };
}

function takeFirst(late: { task: Task }[]): Task[] {
	return late.splice(0, 1).map(({ task }) => task);
}
