import { installN8n } from '../harness/n8n/install.ts';
import { commandLine, Option } from '../harness/tools/commandLine.ts';
import { temporaryFolder } from '../harness/tools/folders.ts';
import { type Program, runProgram } from '../harness/tools/program.ts';
import { describeMachine, goalTable, toMarkdown } from './report.ts';
import { measure, type Result } from './scenario.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { exportAll } from './scenarios/export.ts';
import { rateLimit } from './scenarios/rateLimit.ts';

const scenarios = [exportAll, rateLimit, deliveries];

const { only } = commandLine(
	'npm run bench --',
	'Measures this package in a real n8n, beside what one would use without it: about 10 minutes on two idle cores.',
)
	.addOption(
		new Option('--only <scenarios...>', 'measure these scenarios only').choices(
			scenarios.map(({ name }) => name),
		),
	)
	.parse()
	.opts();

// Results go to the standard output, all else to the standard error.
await runProgram(async (program) => {
	await installN8n(program);
	const results = await measureAll(program);
	console.log([describeMachine(), goalTable(results), toMarkdown(results)].join('\n\n'));
}, process.stderr);

async function measureAll({ report, cleanup, signal }: Program): Promise<Result[]> {
	const folder = await temporaryFolder('bench', cleanup);
	const context = { folder, cleanup, signal, report };
	const results: Result[] = [];
	for (const scenario of scenarios) {
		if (only && !only.includes(scenario.name)) continue;
		results.push(await measure(scenario, context));
	}
	return results;
}
