import { join } from 'node:path';

import { z } from 'zod';

import { repositoryFolder } from '../../playground/tools/paths.ts';
import { runProcess } from '../../playground/tools/processes.ts';

const reportSchema = z.object({
	machine: z.object({ cores: z.number().positive(), n8n: z.string() }),
	results: z.array(
		z.object({
			name: z.string(),
			figures: z.array(
				z.object({ contender: z.string(), measure: z.string(), median: z.number().finite() }),
			),
			goals: z.array(z.object({ value: z.number().finite(), met: z.boolean() })).min(1),
		}),
	),
});

describe('The bench', () => {
	// It fails by itself where a contender gives out too few items, answers with another status than it
	// should, or leaves an execution for a forged delivery.
	it('runs all of its parts, and every contender does its work', async () => {
		const bench = join(repositoryFolder, 'bench', 'run.ts');
		const output = await runProcess(process.execPath, [bench, '--smoke', '--json'], {
			cwd: repositoryFolder,
		});
		const start = output.indexOf('{\n');
		const { results } = reportSchema.parse(JSON.parse(output.slice(start)));

		expect(results.map(({ name }) => name).sort()).toEqual(
			['actions', 'export', 'forged', 'growth', 'trigger', 'verification'].sort(),
		);
		for (const { figures } of results) {
			const contenders = new Set(figures.map(({ contender }) => contender));
			expect(figures.length).toBeGreaterThanOrEqual(contenders.size);
		}
	}, 900_000);
});
