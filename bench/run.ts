import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, type PackedPackage } from '../harness/n8n/package.ts';
import { Cleanup } from '../harness/tools/cleanup.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { exitCodeOf, tellFailure, untilInterrupted } from '../harness/tools/program.ts';
import { seconds, terminal } from '../harness/tools/terminal.ts';
import { apiFamily } from './api/family.ts';
import { describeMachine } from './machine.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { toConsole } from './report/console.ts';
import { putResults, toMarkdown } from './report/markdown.ts';
import type { PartResult } from './result.ts';
import { triggerFamily } from './trigger/family.ts';
import { verificationFamily } from './verification/family.ts';

const families = [apiFamily, triggerFamily, verificationFamily];
const partNames = families.flatMap(({ parts }) => parts);

const removal = { recursive: true, force: true, maxRetries: 5 };

/** Results go to the standard output, all else beside it. */
const tell = terminal(process.stderr);
let folder: string | undefined;

const signal = untilInterrupted(() => {
	if (folder !== undefined) rmSync(folder, removal);
});

process.exitCode = await exitCodeOf(main, signal, (error) => tellFailure(tell, error));

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2), partNames);
	const started = performance.now();
	const machine = await describeMachine();
	const results = await measureAll(options);
	tell.line(`Measured in ${seconds(performance.now() - started)}.`);
	console.log(
		options.json
			? JSON.stringify({ machine, results }, null, '\t')
			: `\n${toConsole(machine, results)}`,
	);
	if (!options.write) return;
	const file = join(repositoryFolder, 'docs', 'benchmarks.md');
	await writeFile(file, putResults(await readFile(file, 'utf8'), toMarkdown(machine, results)));
	tell.line('The results are in docs/benchmarks.md.');
}

async function measureAll({ parts, effort }: BenchOptions): Promise<PartResult[]> {
	const ours = await mkdtemp(join(tmpdir(), 'card-platform-bench-'));
	folder = ours;
	const cleanup = new Cleanup();
	const progress = (text: string) => tell.progress(text);
	try {
		let packed: Promise<PackedPackage> | undefined;
		const packOnce = async () => {
			progress('building and packing the package');
			packed ??= pack(ours, signal);
			return (await packed).file;
		};
		const stage = { folder: ours, pack: packOnce, cleanup, signal, progress };
		const results: PartResult[] = [];
		for (const family of families) {
			if (!family.parts.some((part) => parts.has(part))) continue;
			results.push(...(await family.measure(stage, effort, parts)));
		}
		return results;
	} finally {
		await cleanup.run();
		await rm(ours, removal);
	}
}
