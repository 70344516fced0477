import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { waitUntil } from './waiting.ts';

/** How long a process may take to end by itself before it is killed. */
const usualGraceMs = 8_000;

/** How long the system may take to remove what was killed. */
const removalMs = 8_000;

const running = new Set<ChildProcess>();
const commands = new Set<ChildProcess>();

export interface ProcessOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** Gets every piece of the process's output and error output, as it comes. */
	onOutput?: (text: string) => void;
	/** An open file that gets the output instead, also when we are gone. */
	outputFile?: number;
	/** Gives the process a channel that closes when we are gone, however we went. */
	channel?: boolean;
	/** The user and group that it runs as, where not ours: only root may choose. */
	uid?: number;
	gid?: number;
}

/** Starts a process as the head of a group of its own, so that all it starts can be ended with it. */
export function startProcess(
	program: string,
	args: readonly string[],
	{ onOutput, outputFile, channel = false, ...options }: ProcessOptions = {},
): ChildProcess {
	const output = outputFile ?? 'pipe';
	const child = spawn(program, args, {
		...options,
		// A group of its own also keeps the terminal's Ctrl-C from it: we end things in order.
		detached: true,
		stdio: ['ignore', output, output, ...(channel ? ['ipc' as const] : [])],
	});
	running.add(child);
	child.once('exit', () => running.delete(child));
	child.once('error', () => running.delete(child));
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
	}
	return child;
}

/**
 * Runs a program to its end and gives its standard output.
 * Throws with the last lines it wrote when it fails.
 */
export async function runProcess(
	program: string,
	args: readonly string[],
	options: ProcessOptions = {},
): Promise<string> {
	let written = '';
	let output = '';
	const child = startProcess(program, args, {
		...options,
		onOutput: (text) => {
			written += text;
			options.onOutput?.(text);
		},
	});
	child.stdout?.on('data', (text: string) => (output += text));
	commands.add(child);
	await once(child, 'close').finally(() => commands.delete(child));
	if (child.exitCode !== 0) {
		throw new Error(
			`${[program, ...args].join(' ')} failed (${child.signalCode ?? `exit code ${child.exitCode ?? '?'}`})\n${lastLines(written, 40)}`,
		);
	}
	return output;
}

/**
 * Ends a process and everything it started; resolves when all of it is gone. What has not ended by itself
 * within `graceMs` milliseconds is killed.
 */
export async function stopProcess(
	child: ChildProcess,
	graceMs = usualGraceMs,
	signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
	const { pid } = child;
	if (pid === undefined) return;
	if (isRunning(child)) {
		signalGroup(pid, signal);
		await waitUntil(() => !isRunning(child), {
			what: `process ${pid} to end`,
			withinMs: graceMs,
		}).catch(() => undefined);
	}
	signalGroup(pid, 'SIGKILL');
	// In a container without an init, what was killed may stay listed for ever; it runs no more.
	await waitUntil(() => !signalGroup(pid, 0), {
		what: `the processes that ${pid} started to end`,
		withinMs: removalMs,
	}).catch(() => undefined);
}

/** Kills the programs that are being run to their end: they are started afresh the next time. */
export function killCommands(): void {
	for (const { pid } of commands) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
}

/** Kills every process that was started here, without asking and without waiting. */
export function killAll(): void {
	for (const { pid } of running) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
}

/** The end of a log: enough of it to see what went wrong. */
export function lastLines(text: string, count = 25): string {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}

export function isRunning(child: ChildProcess): boolean {
	return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Signals a process and all it started; gives whether any of them was still there. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(-pid, signal);
	} catch {
		return false;
	}
}
