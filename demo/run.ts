import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoOptions, readOptions } from './options.ts';
import { type Demo, tellStory } from './story.ts';
import { ofPlaces } from './storyLines.ts';
import { Cleanup } from '../harness/tools/cleanup.ts';
import { demand } from '../harness/tools/problem.ts';
import { exitCodeOf, tellFailure, untilInterrupted } from '../harness/tools/program.ts';
import { seconds, terminal } from '../harness/tools/terminal.ts';

const removal = { recursive: true, force: true, maxRetries: 5 };

const tell = terminal();
const cleanup = new Cleanup();
/** This run's folder, for the hard way out, where nothing can be waited for. */
let folder: string | undefined;

const signal = untilInterrupted(() => {
	if (folder !== undefined) rmSync(folder, removal);
});

process.exitCode = await exitCodeOf(main, signal, (error) => {
	tell.line();
	tellFailure(tell, error);
});

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	const started = performance.now();
	folder = await mkdtemp(join(tmpdir(), 'card-platform-demo-'));
	try {
		const demo = await tellStory(tell, { folder, cleanup, signal }, options);
		tell.line();
		tell.line(`It works, in ${seconds(performance.now() - started)}.`);
		if (!options.once) await stayUp(demo);
	} finally {
		await cleanUp(folder, options);
	}
}

async function stayUp({ n8n, company, automation }: Demo): Promise<void> {
	tell.line('Everything stays up; Ctrl-C ends it.');
	tell.line();
	for (const line of ofPlaces(n8n, company, automation)) tell.line(`   ${line}`);
	const interrupted = new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	await Promise.race([n8n.process.exited(), interrupted]);
	demand(signal.aborted, 'n8n ended by itself', 'Run it with --keep-folder and read its log.');
}

async function cleanUp(folder: string, { keepFolder }: DemoOptions): Promise<void> {
	const started = performance.now();
	tell.line();
	tell.progress('Ending everything …');
	try {
		await cleanup.run();
	} finally {
		if (!keepFolder) await rm(folder, removal);
	}
	const took = seconds(performance.now() - started);
	tell.line(`Everything that was started has ended (${took}).`);
	tell.line(keepFolder ? `Left behind: ${folder}` : 'Nothing is left behind.');
}
