import { LATE_TRANSACTION_MS } from '../api/assumptions';
import type { ListedTransaction } from '../cardEvents/source';
import { checkTime, type PollRun } from './visit';

const DAY = 86_400_000;

/** Shortest range that is read together. */
const MIN_STEP_MS = 60_000;

/** Lists the transactions since the last poll (§4.8); if they are too many, those up to an end. */
export async function listBatch(
	run: PollRun,
): Promise<{ transactions: ListedTransaction[]; end?: number }> {
	const { settings, startedAt } = run;
	const { cursor, processedTransactions } = run.state;
	const from = cursor - LATE_TRANSACTION_MS;
	const limit = settings.batchSize + processedTransactions.size;
	const open = await list(run, { from }, limit);
	if (open.isComplete) return open;

	// The cursor cannot get any further, so what is left is read together.
	if (cursor >= startedAt) return await list(run, { from });
	const newest = Math.max(cursor, newestOf(open.transactions, startedAt));
	for (;;) {
		const end = Math.min(cursor + run.step, newest);
		const isShortest = run.step <= MIN_STEP_MS;
		const batch = await list(run, { from, to: end }, isShortest ? Infinity : limit);
		// Otherwise each batch would be as long as all of them.
		if (batch.ignoresEnd) return await list(run, { from });
		if (batch.isComplete) {
			if (batch.transactions.length < limit / 4) run.step = Math.min(run.step * 2, 365 * DAY);
			return { ...batch, end };
		}
		run.step = Math.max(run.step / 2, MIN_STEP_MS);
	}
}

/** Lists transactions that were created in a range. */
export async function list(
	run: PollRun,
	range: { from: number; to?: number },
	limit = Infinity,
): ReturnType<PollRun['source']['transactions']> {
	checkTime(run);
	return await run.source.transactions(range, limit);
}

/**
 * When the newest transaction was created. Not ahead of n8n's clock, as others come before those that
 * are: they are read again until the clock has passed them.
 */
export const newestOf = (transactions: ListedTransaction[], now: number): number =>
	Math.min(
		transactions.reduce((time, each) => Math.max(time, each.createdAt), -Infinity),
		now,
	);
