import { join } from 'node:path';

import { z } from 'zod';

import { repositoryFolder } from '../../harness/tools/paths.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

const reportSchema = z.object({
	machine: z.object({ cores: z.number().positive(), n8n: z.string() }),
	results: z.array(
		z.object({
			name: z.string(),
			figures: z.array(
				z.object({
					setting: z.string(),
					contender: z.string(),
					measure: z.string(),
					median: z.number().finite(),
				}),
			),
			goals: z.array(z.object({ value: z.number().finite(), met: z.boolean() })),
		}),
	),
});

const times = ['whole workflow', 'the node alone'];
const counted = [...times, 'requests', 'connections'];
const burst = ['deliveries', 'p50', 'p95', 'p99'];

interface Part {
	settings: string[];
	/** In every setting. */
	contenders: string[];
	/** In one setting only, after the others. */
	further?: Record<string, string[]>;
	measures: string[];
	/** Further measures of a setting, or of a contender. */
	more?: Record<string, string[]>;
	/** Measures that a contender lacks if it fails, which only the HTTP Request node may. */
	ofSuccess?: string[];
	goals: number;
}

const freezingWithHttpRequest = [
	'HTTP Request, all at once (its default)',
	'HTTP Request, 10 per 200 ms (its Batching), Retry On Fail',
];

const remote = 'TLS, 30 ms round trip, 20 ms latency';
const networks = ['0 ms latency', '20 ms latency', '100 ms latency', remote];

/** Every setting of a part has every contender, and of each all measures. */
const parts: Record<string, Part> = {
	export: {
		settings: networks,
		contenders: [
			'this node',
			'HTTP Request + Split Out',
			'undici alone, one page at a time',
			'undici alone, 6 pages at a time',
		],
		measures: counted,
		goals: 5,
	},
	growth: {
		settings: ['100 items', '200 items', '300 items'],
		contenders: ['this node'],
		measures: [...times, 'memory, at its peak', 'memory, of the items alone'],
		goals: 5,
	},
	lists: {
		settings: [
			'exact total',
			'capped total',
			'exact total, transactions created during the read',
			'capped total, transactions created during the read',
		],
		contenders: ['this node'],
		measures: counted,
		more: {
			'exact total': ['wasted'],
			'capped total': ['wasted'],
			'exact total, transactions created during the read': ['created', 'wasted'],
			'capped total, transactions created during the read': ['created', 'wasted'],
		},
		goals: 4,
	},
	actions: {
		settings: networks,
		contenders: [
			'this node',
			'this node, 40 at the same time',
			'HTTP Request, all at once (its default)',
		],
		further: { '20 ms latency': ['HTTP Request, 50 a second (its Batching)'] },
		measures: counted,
		goals: 2,
	},
	'rate-limit': {
		settings: [
			'40 freezes, 429 with Retry-After',
			'40 freezes, 429 without Retry-After',
			'3000 transactions, 429 with Retry-After',
			'3000 transactions, 429 without Retry-After',
		],
		contenders: ['this node'],
		further: {
			'40 freezes, 429 with Retry-After': freezingWithHttpRequest,
			'40 freezes, 429 without Retry-After': freezingWithHttpRequest,
			'3000 transactions, 429 with Retry-After': ['HTTP Request + Split Out'],
			'3000 transactions, 429 without Retry-After': ['HTTP Request + Split Out'],
		},
		measures: ['requests', 'refused', 'work done'],
		ofSuccess: ['whole workflow', 'over the ideal time'],
		goals: 8,
	},
	trigger: {
		settings: ['default engine'],
		contenders: [
			'this trigger',
			'this trigger, Deduplicate off',
			'bare Webhook node',
			'Webhook + Code',
			'Webhook + Crypto + IF + Respond',
			'naive trigger',
			'Stripe Trigger',
		],
		measures: burst,
		goals: 2,
	},
	forged: {
		settings: ['default engine'],
		contenders: [
			'this trigger',
			'Webhook + Code',
			'Webhook + Crypto + IF + Respond',
			'naive trigger',
			'Stripe Trigger',
		],
		measures: burst,
		goals: 1,
	},
	polling: {
		settings: ['2 cards', '3 cards', '4 cards'],
		contenders: ['this trigger', 'every card, undici, 10 at a time'],
		measures: ['one poll', 'its requests'],
		more: { 'this trigger': ['first polls', 'their requests', 'stored by n8n'] },
		goals: 2,
	},
	verification: {
		settings: ['1 KB'],
		contenders: ['createHmac alone', 'this verification'],
		measures: ['one body'],
		goals: 1,
	},
};

describe('The bench', () => {
	// It fails by itself where a contender gives out too few items, answers with another status than it
	// should, or leaves an execution for a forged delivery.
	it('runs all of its parts, and every contender does its work', async () => {
		await usePackedPackage();
		const bench = join(repositoryFolder, 'bench', 'run.ts');
		const output = await runProcess(process.execPath, [bench, '--quick', '--json'], {
			cwd: repositoryFolder,
			env: process.env,
		});
		const start = output.indexOf('{\n');
		const { results } = reportSchema.parse(JSON.parse(output.slice(start)));

		const measured = results.map(({ name, figures, goals }) => [
			name,
			figures
				.filter(({ measure }) => !parts[name]?.ofSuccess?.includes(measure))
				.map(({ setting, contender, measure }) => `${setting}, ${contender}: ${measure}`),
			goals.length,
		]);
		const expected = Object.entries(parts).map(([name, part]) => [
			name,
			part.settings.flatMap((setting) =>
				[...part.contenders, ...(part.further?.[setting] ?? [])].flatMap((contender) =>
					[
						...part.measures,
						...(part.more?.[contender] ?? []),
						...(part.more?.[setting] ?? []),
					].map((measure) => `${setting}, ${contender}: ${measure}`),
				),
			),
			part.goals,
		]);
		expect(measured).toEqual(expected);
	}, 900_000);
});
