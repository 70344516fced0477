import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Cleanup } from '../harness/tools/cleanup.ts';
import { abortOnInterrupt, exitCodeOf, reportFailure } from '../harness/tools/program.ts';
import { seconds, terminal } from '../harness/tools/terminal.ts';
import { type DemoOptions, readOptions } from './options.ts';
import { ofPlaces } from './stepLines.ts';
import { type Demo, runSteps } from './steps.ts';
import { untilInterrupted } from './untilInterrupted.ts';

const removal = { recursive: true, force: true, maxRetries: 5 };

const reporter = terminal();
const cleanup = new Cleanup();
/** This run's folder, for the hard way out, where nothing can be waited for. */
let folder: string | undefined;

const signal = abortOnInterrupt(() => {
	if (folder !== undefined) rmSync(folder, removal);
});

process.exitCode = await exitCodeOf(main, signal, (error) => {
	reporter.line();
	reportFailure(reporter, error);
});

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	const started = performance.now();
	folder = await mkdtemp(join(tmpdir(), 'card-platform-demo-'));
	try {
		const demo = await runSteps(reporter, { folder, cleanup, signal }, options);
		reporter.line();
		reporter.line(`It works, in ${seconds(performance.now() - started)}.`);
		if (!options.once) await stayUp(demo);
	} finally {
		await cleanUp(folder, options);
	}
}

async function stayUp({ n8n, company, automation }: Demo): Promise<void> {
	reporter.line('Everything stays up; Ctrl-C ends it.');
	reporter.line();
	for (const line of ofPlaces(n8n, company, automation)) reporter.line(`   ${line}`);
	await untilInterrupted(n8n.process, signal, 'Run it with --keep-folder and read its log.');
}

async function cleanUp(folder: string, { keepFolder }: DemoOptions): Promise<void> {
	const started = performance.now();
	reporter.line();
	reporter.progress('Ending everything …');
	try {
		await cleanup.run();
	} finally {
		if (!keepFolder) await rm(folder, removal);
	}
	const took = seconds(performance.now() - started);
	reporter.line(`Everything that was started has ended (${took}).`);
	reporter.line(keepFolder ? `Left behind: ${folder}` : 'Nothing is left behind.');
}
