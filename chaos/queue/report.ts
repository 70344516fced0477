import type { Counter } from './counter.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './sender.ts';

/** What a run with a crash came to. */
export interface Result {
	events: number;
	duplicates: number;
	executedAtLeastOnce: number;
	lost: number;
	/** How many times more than once, over all events. */
	extra: number;
	/** More of these than duplicates and repeated attempts would be unexplained. */
	mostExtra: number;
	failedAttempts: number;
}

/** Compares what was sent with what was done. */
export function compare(
	{ ids, duplicates }: Plan,
	{ failures }: Outcome,
	counter: Counter,
): Result {
	const times = ids.map((id) => counter.done.get(id) ?? 0);
	const executedAtLeastOnce = times.filter((count) => count > 0).length;
	const total = times.reduce((sum, count) => sum + count, 0);
	const failedAttempts = [...failures.values()].reduce((sum, count) => sum + count, 0);
	return {
		events: ids.length,
		duplicates,
		executedAtLeastOnce,
		lost: ids.length - executedAtLeastOnce,
		extra: total - executedAtLeastOnce,
		// What was answered 503 has reached no n8n.
		mostExtra: duplicates + failedAttempts - (failures.get('HTTP 503') ?? 0),
		failedAttempts,
	};
}

/** Whether every promise was kept: nothing lost, and nothing repeated without a reason. */
export function isKept({ lost, extra, mostExtra }: Result): boolean {
	return lost === 0 && extra <= mostExtra;
}

/** The result as a table, in lines. */
export function tableOf(
	result: Result,
	{ failures, durationsMs }: Outcome,
	tookMs: number,
): string[] {
	const rows: [string, string][] = [
		['events', String(result.events)],
		['deliveries sent again by the sender as duplicates (5 %)', String(result.duplicates)],
		['attempts that failed and were repeated', countsOf(failures)],
		['events executed at least once', String(result.executedAtLeastOnce)],
		['events lost', String(result.lost)],
		['executions beyond the first of an event', `${result.extra} (at most ${result.mostExtra})`],
		['events per second', (result.events / (tookMs / 1000)).toFixed(1)],
		['time to the answer, median / 95 % / longest', timesOf(durationsMs)],
	];
	return linesOf(rows);
}

/** Names and values as a table, in lines. */
export function linesOf(rows: readonly (readonly [name: string, value: string])[]): string[] {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `   ${name.padEnd(width)}   ${value}`);
}

/** Counts by their names, in one line: "5 (HTTP 500: 4, ECONNREFUSED: 1)". */
function countsOf(counts: ReadonlyMap<string, number>): string {
	const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
	if (total === 0) return '0';
	const each = [...counts].map(([name, count]) => `${name}: ${count}`);
	return `${total} (${each.join(', ')})`;
}

function timesOf(durationsMs: readonly number[]): string {
	const sorted = [...durationsMs].sort((a, b) => a - b);
	const at = (share: number) =>
		sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
	return [at(0.5), at(0.95), at(1)].map((ms) => `${Math.round(ms ?? 0)} ms`).join(' / ');
}
