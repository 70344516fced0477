import type { ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { n8nScript, nodeProgram } from '../tools/paths.ts';
import { explain } from '../tools/problem.ts';
import { lastLines, type ProcessOptions, runProcess, startProcess } from '../tools/processes.ts';

/** How an n8n is run. */
export interface Program {
	/** The folder that holds all it writes. */
	userFolder: string;
	environment: NodeJS.ProcessEnv;
	/** Gets all its output. */
	logFile: string;
}

/** Starts n8n with a command that does not end by itself, and gives its process. */
export async function launchN8n(program: Program, ...args: string[]): Promise<ChildProcess> {
	return withLog(program, (options) =>
		Promise.resolve(startProcess(nodeProgram, commandLine(...args), options)),
	);
}

/** Runs a command of n8n to its end. Throws with the end of its log when it fails; `signal` ends it. */
export async function runN8n(
	program: Program,
	args: readonly string[],
	signal?: AbortSignal,
): Promise<void> {
	try {
		await withLog(program, (options) =>
			runProcess(nodeProgram, commandLine(...args), { ...options, signal }),
		);
	} catch (error) {
		signal?.throwIfAborted();
		throw new Error(`${explain(error)}\n${await endOfLog(program)}`, { cause: error });
	}
}

/** The last lines of a log; a word of its own where there is none. */
export async function endOfLog({ logFile }: Program): Promise<string> {
	return lastLines(await readFile(logFile, 'utf8').catch(() => '(no log)'));
}

/** Into a file and not through us: n8n spins for ever when the reader of its output is gone. */
async function withLog<T>(
	{ userFolder, environment, logFile }: Program,
	run: (options: ProcessOptions) => Promise<T>,
): Promise<T> {
	const log = await open(logFile, 'a');
	try {
		return await run({ env: environment, cwd: userFolder, outputFile: log.fd, channel: true });
	} finally {
		await log.close();
	}
}

function commandLine(...args: string[]): string[] {
	const preload = join(import.meta.dirname, 'endWithParent.ts');
	return ['--import', pathToFileURL(preload).href, n8nScript, ...args];
}
