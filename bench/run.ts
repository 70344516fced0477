import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pack, type PackedPackage } from '../harness/n8n/package.ts';
import { Cleanup } from '../harness/tools/cleanup.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { abortOnInterrupt, exitCodeOf, reportFailure } from '../harness/tools/program.ts';
import { seconds, terminal } from '../harness/tools/terminal.ts';
import { apiSuite } from './api/suite.ts';
import { describeMachine } from './machine.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { pollingSuite } from './polling/suite.ts';
import { chartOf } from './report/chart.ts';
import { toConsole } from './report/console.ts';
import { putResults, toMarkdown } from './report/markdown.ts';
import type { PartResult } from './result.ts';
import { triggerSuite } from './trigger/suite.ts';
import { verificationSuite } from './verification/suite.ts';

const suites = [apiSuite, triggerSuite, pollingSuite, verificationSuite];
const partNames = suites.flatMap(({ parts }) => parts);

const removal = { recursive: true, force: true, maxRetries: 5 };

/** Results go to the standard output, all else beside it. */
const reporter = terminal(process.stderr);
let folder: string | undefined;

const signal = abortOnInterrupt(() => {
	if (folder !== undefined) rmSync(folder, removal);
});

process.exitCode = await exitCodeOf(main, signal, (error) => reportFailure(reporter, error));

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2), partNames);
	const started = performance.now();
	const machine = describeMachine();
	const results = await measureAll(options);
	reporter.line(`Measured in ${seconds(performance.now() - started)}.`);
	console.log(
		options.json
			? JSON.stringify({ machine, results }, null, '\t')
			: `\n${toConsole(machine, results)}`,
	);
	if (!options.write) return;
	const docs = join(repositoryFolder, 'docs');
	const file = join(docs, 'benchmarks.md');
	await writeFile(file, putResults(await readFile(file, 'utf8'), toMarkdown(machine, results)));
	for (const result of results) {
		const chart = chartOf(result);
		if (chart !== undefined) await writeFile(join(docs, chart.file), chart.svg);
	}
	reporter.line('The results are in docs/benchmarks.md.');
}

async function measureAll({ parts, benchSize }: BenchOptions): Promise<PartResult[]> {
	const ours = await mkdtemp(join(tmpdir(), 'card-platform-bench-'));
	folder = ours;
	const cleanup = new Cleanup();
	const progress = (text: string) => reporter.progress(text);
	try {
		let packed: Promise<PackedPackage> | undefined;
		const packOnce = async () => {
			progress('building and packing the package');
			packed ??= pack(ours, signal);
			return (await packed).file;
		};
		const context = { folder: ours, pack: packOnce, cleanup, signal, progress };
		const results: PartResult[] = [];
		for (const suite of suites) {
			if (!suite.parts.some((part) => parts.has(part))) continue;
			results.push(...(await suite.measure(context, benchSize, parts)));
		}
		return results.filter(({ figures }) => figures.length > 0);
	} finally {
		await cleanup.run();
		await rm(ours, removal);
	}
}
