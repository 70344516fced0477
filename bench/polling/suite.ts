import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { z } from 'zod';

import { assert } from '../../harness/tools/errors.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { goal, goalsOf, medianOf } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { purchasesBetween } from '../server/cardActivity.ts';
import type { BenchServer } from '../server/control.ts';
import { apiKey } from '../server/settings.ts';
import { startServer } from '../server/start.ts';
import { median } from '../statistics.ts';
import type { Suite } from '../suite.ts';
import { readEveryCard } from './everyCard.ts';

const sizes = {
	full: { cards: [10, 250, 5_000], polls: 60 },
	quick: { cards: [2, 3, 4], polls: 2 },
} as const;

const latencyMs = 20;
const inFlight = 10;

const ours = 'this trigger';
const everyCard = `every card, undici, ${inFlight} at a time`;

const onePoll = 'one poll';
const requestsOfPoll = 'its requests';
const units = {
	[onePoll]: 'ms',
	[requestsOfPoll]: 'requests',
	'first polls': 'ms',
	'their requests': 'requests',
	'stored by n8n': 'KB',
} as const;

const pollSchema = z.object({
	now: z.number(),
	events: z.number(),
	tookMs: z.number(),
	requests: z.number(),
});

/** What the probe prints. */
const probeSchema = z.object({
	first: z.array(pollSchema),
	later: z.array(pollSchema),
	storedBytes: z.number(),
});

const settingOf = (cards: number) => `${cards} cards`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Polls with this trigger, in a separate process. Throws when it does not find the new events. */
async function measureOurs(
	{ url }: BenchServer,
	cards: number,
	polls: number,
	signal: AbortSignal,
): Promise<Record<string, number>> {
	const hooks = pathToFileURL(join(repositoryFolder, 'harness', 'tools', 'tsImports.ts')).href;
	const probe = join(import.meta.dirname, 'probe.ts');
	const given = [url, apiKey, cards, latencyMs, polls].map(String);
	const args = ['--no-warnings', '--import', hooks, probe, ...given];
	// n8n's log goes to the standard output too.
	const env = { ...process.env, N8N_LOG_LEVEL: 'silent' };
	const output = await runProcess(process.execPath, args, { signal, env });
	const { first, later, storedBytes } = probeSchema.parse(JSON.parse(output));
	const found = sum(later.map(({ events }) => events));
	const made = purchasesBetween(cards, first.at(-1)?.now ?? 0, later.at(-1)?.now ?? 0);
	assert(found >= made, `${ours} found ${found} of ${made} purchases`, 'Look at bench/polling.');
	return {
		[onePoll]: median(later.map(({ tookMs }) => tookMs)),
		[requestsOfPoll]: sum(later.map(({ requests }) => requests)) / later.length,
		'first polls': sum(first.map(({ tookMs }) => tookMs)),
		'their requests': sum(first.map(({ requests }) => requests)),
		'stored by n8n': storedBytes / 1000,
	};
}

/** Reads all cards once. Throws when there are fewer events than cards. */
async function measureEveryCard(server: BenchServer, cards: number, signal: AbortSignal) {
	const settings = { transactions: 1, latencyMs, activity: { cards, now: Date.UTC(2026, 10, 1) } };
	await server.set(settings);
	const { events, tookMs } = await readEveryCard(server.apiUrl, inFlight, signal);
	assert(events > cards, `${everyCard} read ${events} events`, 'Look at bench/polling.');
	const { requests } = await server.set(settings);
	return { [onePoll]: tookMs, [requestsOfPoll]: requests };
}

/** What it costs to look for new events, for few and for many cards. */
export const pollingSuite: Suite = {
	parts: ['polling'],
	async measure(context, benchSize) {
		const { signal, progress } = context;
		const server = await startServer(context);
		const { cards: numbers, polls } = sizes[benchSize.size];
		const contenders = numbers.flatMap((cards): Contender[] => [
			{
				setting: settingOf(cards),
				name: ours,
				run: async () => await measureOurs(server, cards, polls, signal),
			},
			{
				setting: settingOf(cards),
				name: everyCard,
				run: async () => await measureEveryCard(server, cards, signal),
			},
		]);
		const figures = await runInterleaved(contenders, benchSize, units, progress);
		const most = numbers.at(-1) ?? 0;
		const share = (measure: string) =>
			medianOf(figures, settingOf(most), ours, measure) /
			medianOf(figures, settingOf(most), everyCard, measure);
		return [
			{
				name: 'polling',
				title: 'Polling: a poll each minute',
				about: `${latencyMs} ms latency, and 20 purchases of a card in 30 days, each cleared a day later. The trigger runs in n8n’s own engine (n8n-core), in a separate process whose clock passes from minute to minute: an hour of polls, of which the table shows the median time and the mean of the requests. The first polls, until every card was visited once, are apart. The other contender reads the list of cards and the events of each.`,
				reference: { contender: ours, measure: onePoll },
				figures,
				goals: goalsOf(
					() =>
						goal(
							`its requests for ${most} cards over those for every card`,
							share(requestsOfPoll),
							'at most',
							0.05,
						),
					() =>
						goal(
							`its time for ${most} cards over that of reading every card`,
							share(onePoll),
							'at most',
							0.1,
						),
				),
			},
		];
	},
};
