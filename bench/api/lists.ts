import { z } from 'zod';

import { assert } from '../../harness/tools/errors.ts';
import { type Figure, goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { transactionIdOf } from '../server/pages.ts';
import type { Settings } from '../server/settings.ts';
import type { BenchSize } from '../suite.ts';
import { type ApiBench, checkTheLog, run, runUnits, wholeWorkflow, withUsage } from './measure.ts';

// The last page is short: one request more would be wasted whatever the totals say.
const sizes = {
	full: { transactions: 19_950, insertEveryMs: 300, countedUpTo: 10_000 },
	quick: { transactions: 950, insertEveryMs: 20, countedUpTo: 500 },
} as const;

const latencyMs = 20;
const jitterMs = 20;

const exact = 'exact total';
const capped = 'capped total';
const inserts = 'exact total, transactions created during the read';
const cappedInserts = 'capped total, transactions created during the read';

const created = 'created';
const wasted = 'wasted';
const units = { ...runUnits, [created]: 'records', [wasted]: '%' } as const;

const itemsSchema = z.array(z.object({ id: z.string() }));

/** What else Return All requests than the pages of a list, at rest and while it grows. */
export async function measureLists(bench: ApiBench, benchSize: BenchSize): Promise<PartResult> {
	const { server, plain, context } = bench;
	const { transactions, insertEveryMs, countedUpTo } = sizes[benchSize.size];
	const { exportWithThisNode } = plain.workflows;
	const { name } = exportWithThisNode;
	const pages = Math.ceil(transactions / 100);
	const readOnce = async () => {
		const { failed, items, times } = await run(bench, exportWithThisNode, {});
		assert(!failed, `${name} failed`, checkTheLog);
		assertComplete(itemsSchema.parse(items), transactions);
		return times;
	};
	const contender = (setting: string, more: Partial<Settings>): Contender => ({
		setting,
		name,
		run: () =>
			withUsage(server, { transactions, latencyMs, jitterMs, ...more }, readOnce, (usage) => ({
				...(more.insertEveryMs !== undefined && { [created]: usage.inserted }),
				[wasted]: ((usage.requests - pages) / pages) * 100,
			})),
	});

	const figures = await runInterleaved(
		[
			contender(exact, {}),
			contender(capped, { countedUpTo }),
			contender(inserts, { insertEveryMs }),
			contender(cappedInserts, { insertEveryMs, countedUpTo }),
		],
		benchSize,
		units,
		context.progress,
	);
	return {
		name: 'lists',
		title: `Lists: ${transactions} transactions, ${pages} pages, at rest and while they grow`,
		about: `Transaction → Get Many with Return All; a response takes ${latencyMs} to ${latencyMs + jitterMs} ms, so that pages come in another order than they were requested. A capped total is a lower bound (${countedUpTo} here). In the last two rows, a transaction is created every ${insertEveryMs} ms, from the first request on. Wasted are the requests beyond the pages of the list as it was at first, as a share of these pages. Each run is checked: every transaction of the list at the start comes once.`,
		reference: { contender: name, measure: wholeWorkflow },
		figures,
		goals: listGoals(figures, name),
	};
}

/** Throws unless all transactions that were there from the start are there, and none comes twice. */
function assertComplete(items: readonly { id: string }[], transactions: number) {
	const ids = new Set(items.map(({ id }) => id));
	assert(ids.size === items.length, 'A transaction came twice', checkTheLog);
	const missing = Array.from({ length: transactions }, (_, number) =>
		transactionIdOf(number),
	).filter((id) => !ids.has(id));
	assert(missing.length === 0, `${missing.length} transactions are missing`, checkTheLog);
}

function listGoals(figures: readonly Figure[], name: string) {
	const wastedIn = (setting: string) => () =>
		goal(
			`percent of requests wasted: ${setting}`,
			medianOf(figures, setting, name, wasted),
			'at most',
			5,
		);
	const timeOf = (setting: string) => medianOf(figures, setting, name, wholeWorkflow);
	const grownOver = (setting: string, atRest: string) => () =>
		goal(
			`time over that of a list at rest: ${setting}`,
			timeOf(setting) / timeOf(atRest),
			'at most',
			12,
		);
	return goalsOf(
		wastedIn(exact),
		wastedIn(capped),
		grownOver(inserts, exact),
		grownOver(cappedInserts, capped),
	);
}
