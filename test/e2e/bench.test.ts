import { join } from 'node:path';

import { z } from 'zod';

import { repositoryFolder } from '../../harness/tools/paths.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { usePackedPackage } from './shared/shared.ts';

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
			goals: z.array(z.object({ value: z.number().finite(), met: z.boolean() })).min(1),
		}),
	),
});

const times = ['whole workflow', 'the node alone'];
const burst = ['deliveries', 'p50', 'p95', 'p99'];

interface Part {
	settings: string[];
	contenders: string[];
	measures: string[];
	/** Further measures of a contender. */
	more?: Record<string, string[]>;
}

/** Every setting of a part has every contender, and of each all measures. */
const parts: Record<string, Part> = {
	export: {
		settings: ['0 ms latency', '20 ms latency', '100 ms latency'],
		contenders: [
			'this node',
			'HTTP Request + Split Out',
			'undici alone, one page at a time',
			'undici alone, 6 pages at a time',
		],
		measures: times,
	},
	growth: {
		settings: ['100 items', '200 items', '300 items'],
		contenders: ['this node'],
		measures: [...times, 'memory, at its peak', 'memory, of the items alone'],
	},
	actions: {
		settings: ['20 ms latency'],
		contenders: [
			'this node',
			'this node, 40 at the same time',
			'HTTP Request, all at once (its default)',
			'HTTP Request, 50 a second (its Batching)',
		],
		measures: times,
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
	},
	polling: {
		settings: ['2 cards', '3 cards', '4 cards'],
		contenders: ['this trigger', 'every card, undici, 10 at a time'],
		measures: ['one poll', 'its requests'],
		more: { 'this trigger': ['first polls', 'their requests', 'stored by n8n'] },
	},
	verification: {
		settings: ['1 KB'],
		contenders: ['createHmac alone', 'this verification'],
		measures: ['one body'],
	},
};

describe('The bench', () => {
	// It fails by itself where a contender gives out too few items, answers with another status than it
	// should, or leaves an execution for a forged delivery.
	it('runs all of its parts, and every contender does its work', async () => {
		await usePackedPackage();
		const bench = join(repositoryFolder, 'bench', 'run.ts');
		const output = await runProcess(process.execPath, [bench, '--smoke', '--json'], {
			cwd: repositoryFolder,
			env: process.env,
		});
		const start = output.indexOf('{\n');
		const { results } = reportSchema.parse(JSON.parse(output.slice(start)));

		const measured = results.map(({ name, figures }) => [
			name,
			figures.map(({ setting, contender, measure }) => `${setting}, ${contender}: ${measure}`),
		]);
		const expected = Object.entries(parts).map(
			([name, { settings, contenders, measures, more }]) => [
				name,
				settings.flatMap((setting) =>
					contenders.flatMap((contender) =>
						[...measures, ...(more?.[contender] ?? [])].map(
							(measure) => `${setting}, ${contender}: ${measure}`,
						),
					),
				),
			],
		);
		expect(measured).toEqual(expected);
	}, 900_000);
});
