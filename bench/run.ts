import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pack, type PackedPackage } from '../harness/n8n/package.ts';
import { commandLine, Option } from '../harness/tools/commandLine.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { abortOnInterrupt, exitCodeOf, reportFailure } from '../harness/tools/program.ts';
import { seconds, terminal } from '../harness/tools/terminal.ts';
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

/** Results go to the standard output, all else to the standard error. */
const reporter = terminal(process.stderr);
const removal = { recursive: true, force: true, maxRetries: 5 };
const folder = await mkdtemp(join(tmpdir(), 'card-platform-bench-'));
const signal = abortOnInterrupt(() => rmSync(folder, removal));

process.exitCode = await exitCodeOf(main, signal, (error) => reportFailure(reporter, error));

async function main(): Promise<void> {
	const started = performance.now();
	const results = await measureAll();
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
}

async function measureAll(): Promise<Result[]> {
	await using stack = new AsyncDisposableStack();
	stack.defer(() => rm(folder, removal));
	const progress = (text: string) => reporter.progress(text);
	let packed: Promise<PackedPackage> | undefined;
	const packOnce = async () => {
		progress('building and packing the package');
		packed ??= pack(folder, signal);
		return (await packed).file;
	};
	const context = { folder, pack: packOnce, stack, signal, progress, quick };
	const results: Result[] = [];
	for (const scenario of scenarios) {
		if (only && !only.includes(scenario.name)) continue;
		results.push(await measure(scenario, context));
	}
	return results;
}
