import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { commandLine, Option } from '../harness/tools/commandLine.ts';
import { temporaryFolder } from '../harness/tools/folders.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { type Program, runProgram } from '../harness/tools/program.ts';
import { seconds } from '../harness/tools/terminal.ts';
import { toSvg } from './chart.ts';
import { describeMachine, putResults, toMarkdown } from './report.ts';
import { measure, type Result } from './scenario.ts';
import { actions } from './scenarios/actions.ts';
import { exportAll } from './scenarios/export.ts';
import { forged } from './scenarios/forged.ts';
import { memory } from './scenarios/memory.ts';
import { polling } from './scenarios/polling.ts';
import { rateLimit } from './scenarios/rateLimit.ts';
import { trigger } from './scenarios/trigger.ts';

const scenarios = [exportAll, actions, rateLimit, trigger, forged, polling, memory];

const command = commandLine(
	'npm run bench --',
	'Measures this package in a real n8n, beside what one would use without it: about 20 minutes on two idle cores.',
)
	.addOption(
		new Option('--only <scenarios...>', 'measure these scenarios only').choices(
			scenarios.map(({ name }) => name),
		),
	)
	.option('--write [folder]', 'put the results into the benchmarks.md of a folder (default: docs)')
	.option(
		'--quick',
		'tiny sizes and one round: shows that everything works, the figures say nothing',
	)
	.parse();
const { only, write, quick = false } = command.opts();
if (write === true && (quick || only)) {
	command.error('error: docs/ takes the results of all scenarios, in full size');
}

// Results go to the standard output, all else to the standard error.
await runProgram(async (program) => {
	const { reporter } = program;
	const started = performance.now();
	const results = await measureAll(program);
	reporter.line(`Measured in ${seconds(performance.now() - started)}.`);
	const machine = describeMachine();
	console.log(toMarkdown(machine, results, true));
	if (!write) return;
	const docs = write === true ? join(repositoryFolder, 'docs') : write;
	const page = join(docs, 'benchmarks.md');
	const written = putResults(await readFile(page, 'utf8'), toMarkdown(machine, results, false));
	await writeFile(page, written);
	for (const result of results) {
		if (result.chart) await writeFile(join(docs, result.chart.file), toSvg(result));
	}
	reporter.line(`The results are in ${page}.`);
}, process.stderr);

async function measureAll({ reporter, cleanup, signal }: Program): Promise<Result[]> {
	const folder = await temporaryFolder('bench', cleanup);
	const progress = (text: string) => reporter.progress(text);
	const context = { folder, cleanup, signal, progress, quick };
	const results: Result[] = [];
	for (const scenario of scenarios) {
		if (only && !only.includes(scenario.name)) continue;
		results.push(await measure(scenario, context));
	}
	return results;
}
