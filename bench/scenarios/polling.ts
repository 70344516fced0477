import { z } from 'zod';

import { assert } from '../../harness/tools/errors.ts';
import { type BenchContext, type Measures, median, type Scenario } from '../scenario.ts';
import { apiKey } from '../server/api.ts';
import { purchasesAt } from '../server/data.ts';
import { type BenchServer, startServer } from '../server/start.ts';
import { UndiciReader } from '../undici.ts';

const MINUTE = 60_000;
const latencyMs = 20;
const connections = 10;
const startTime = Date.UTC(2026, 10, 1);

const ours = 'this trigger';
const everyCard = `every card, undici, ${connections} at a time`;

const onePoll = 'one poll, ms';
const itsRequests = 'its requests';
const firstPolls = 'first polls, ms';
const theirRequests = 'their requests';
const stored = 'stored by n8n, KB';

/** What it costs to look for new events, for few and for many cards. */
export const polling: Scenario = {
	name: 'polling',
	async plan(context) {
		const server = await startServer(context);
		const numbers = context.quick ? [2, 3, 4] : [10, 250, 5_000];
		const polls = context.quick ? 2 : 60;
		const settingOf = (cards: number) => `${cards} cards`;
		const many = settingOf(numbers.at(-1) ?? 0);
		return {
			title: 'Polling: a poll each minute',
			about: `${latencyMs} ms latency, and 20 purchases of a card in 30 days, each cleared a day later. The trigger runs in n8n’s own engine (n8n-core), with a clock that passes from minute to minute: the median time and the mean of the requests of an hour of polls, after those that visit every card for the first time. The other contender reads the list of cards and the events of each.`,
			rounds: 2,
			measures: [onePoll, itsRequests, firstPolls, theirRequests, stored],
			reference: ours,
			contenders: numbers.flatMap((cards) => [
				{
					setting: settingOf(cards),
					name: ours,
					run: () => measureTrigger(server, cards, polls),
				},
				{
					setting: settingOf(cards),
					name: everyCard,
					run: () => measureEveryCard(server, cards, context),
				},
			]),
			goals(medianOf) {
				const share = (measure: string) =>
					medianOf(many, ours, measure) / medianOf(many, everyCard, measure);
				return [
					{
						says: `requests of a poll over those for every card: ${many}`,
						value: share(itsRequests),
						bound: 'at most',
						wanted: 0.05,
					},
					{
						says: `time of a poll over that of reading every card: ${many}`,
						value: share(onePoll),
						bound: 'at most',
						wanted: 0.1,
					},
				];
			},
		};
	},
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Polls with this trigger until it is done with the first polls, and then for the figures. */
async function measureTrigger(
	server: BenchServer,
	cards: number,
	polls: number,
): Promise<Measures> {
	const { poll, state } = await createPoller(server.plainUrl);
	const realNow = Date.now;
	const startedAt = realNow();
	let minute = 0;

	/** Polls in the next minute: the API's clock and that of the node go forward together. */
	const pollOnce = async () => {
		const now = startTime + minute * MINUTE;
		Date.now = () => realNow() - startedAt + now;
		minute++;
		const activity = { cards, now };
		const { result, usage } = await server.during({ latencyMs, activity }, async () => {
			const before = performance.now();
			const events = await poll();
			return { events, tookMs: performance.now() - before };
		});
		return { now, ...result, ...usage };
	};
	try {
		const first = [];
		do first.push(await pollOnce());
		while (state().includes('"baseline":{'));
		const later = [];
		while (later.length < polls) later.push(await pollOnce());

		const found = sum(later.map(({ events }) => events));
		const lastBefore = purchasesAt(first.at(-1)?.now ?? 0, cards).last;
		const made = purchasesAt(later.at(-1)?.now ?? 0, cards).last - lastBefore;
		const message = `${ours} found ${found} of ${made} purchases`;
		assert(found >= made, message, 'Look at bench/scenarios/polling.ts.');
		return {
			[onePoll]: median(later.map(({ tookMs }) => tookMs)),
			[itsRequests]: sum(later.map(({ requests }) => requests)) / later.length,
			[firstPolls]: sum(first.map(({ tookMs }) => tookMs)),
			[theirRequests]: sum(first.map(({ requests }) => requests)),
			[stored]: state().length / 1000,
		};
	} finally {
		Date.now = realNow;
	}
}

/** A new trigger in n8n's own engine: polls once, and returns how many events it found; and its state. */
async function createPoller(apiUrl: string) {
	// n8n-core would log every poll.
	process.env.N8N_LOG_LEVEL = 'silent';
	const { PollContext } = await import('n8n-core');
	const { Workflow } = await import('n8n-workflow');
	const { credentialsFor } = await import('../../harness/core/credentials.ts');
	const { createAdditionalData, createNode, knownNodeTypes } =
		await import('../../harness/core/runNode.ts');
	const { CardPlatformPollingTrigger } =
		await import('../../nodes/CardPlatform/CardPlatformPollingTrigger.node.ts');
	const node = createNode('cardPlatformPollingTrigger', { events: ['all'] });
	const workflow = new Workflow({
		id: 'bench',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: knownNodeTypes,
	});
	const additionalData = createAdditionalData(credentialsFor(apiUrl, { apiKey }));
	const pollContext = new PollContext(
		workflow,
		node,
		additionalData,
		'trigger',
		'activate',
		() => undefined,
	);
	const trigger = new CardPlatformPollingTrigger();
	return {
		poll: async () => (await trigger.poll.call(pollContext))?.[0]?.length ?? 0,
		state: () => JSON.stringify(workflow.getStaticData('node', node)),
	};
}

const pageSchema = z.object({
	data: z.array(z.object({ id: z.string() })),
	totalPages: z.number(),
});

/** Reads all cards once. Throws if there are fewer events than cards. */
async function measureEveryCard(
	server: BenchServer,
	cards: number,
	{ signal }: BenchContext,
): Promise<Measures> {
	const settings = { latencyMs, activity: { cards, now: startTime } };
	const { result, usage } = await server.during(settings, async () => {
		await using reader = new UndiciReader(server.plainUrl, connections, signal);
		const readPage = async (page: number) =>
			pageSchema.parse(await reader.get(`/cards?page=${page}&pageSize=100`));
		const startedAt = performance.now();
		const { data, totalPages } = await readPage(1);
		for (let page = 2; page <= totalPages; page++) data.push(...(await readPage(page)).data);
		const lists = await reader.getAll(data.map(({ id }) => `/cards/${id}/financial-events`));
		const events = lists.flatMap((list) => z.array(z.unknown()).parse(list));
		return { events: events.length, tookMs: performance.now() - startedAt };
	});
	assert(result.events > cards, `undici read ${result.events} events`, 'Look at bench/server.');
	return { [onePoll]: result.tookMs, [itsRequests]: usage.requests };
}
