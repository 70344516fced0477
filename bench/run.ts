import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAndPack } from '../playground/scenario/packedNode.ts';
import { Cleanup } from '../playground/tools/cleanup.ts';
import { onInterrupt } from '../playground/tools/interruption.ts';
import { repositoryFolder } from '../playground/tools/paths.ts';
import { explain, Problem } from '../playground/tools/problem.ts';
import { killAllNow } from '../playground/tools/processes.ts';
import { seconds, terminal } from '../playground/tools/terminal.ts';
import { apiFamily } from './api/family.ts';
import { describeMachine } from './machine.ts';
import { type BenchOptions, readOptions, usageOf } from './options.ts';
import { toConsole } from './report/console.ts';
import { putResults, toMarkdown } from './report/markdown.ts';
import type { PartResult } from './result.ts';
import { triggerFamily } from './trigger/family.ts';
import { verificationFamily } from './verification/family.ts';

const families = [apiFamily, triggerFamily, verificationFamily];
const partNames = families.flatMap(({ parts }) => parts);

const removal = { recursive: true, force: true, maxRetries: 5 };
const interruptedCode = 130;

/** Results go to the standard output, all else beside it. */
const tell = terminal(process.stderr);
let folder: string | undefined;

const signal = onInterrupt(() => {
	killAllNow();
	if (folder !== undefined) rmSync(folder, removal);
	process.exit(interruptedCode);
});

process.exitCode = await main();

async function main(): Promise<number> {
	try {
		const options = readOptions(process.argv.slice(2), partNames);
		if (options.help) console.log(usageOf(partNames));
		else await run(options);
		return 0;
	} catch (error) {
		if (signal.aborted) return interruptedCode;
		tell.line(explain(error));
		if (error instanceof Problem) tell.line(`What to do: ${error.fix}`);
		return 1;
	}
}

async function run(options: BenchOptions): Promise<void> {
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
		let packed: ReturnType<typeof buildAndPack> | undefined;
		const pack = async () => {
			progress('building and packing the package');
			packed ??= buildAndPack(ours, signal);
			return (await packed).file;
		};
		const stage = { folder: ours, pack, cleanup, signal, progress };
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
