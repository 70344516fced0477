import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import getPort from 'get-port';

import { errorMessage } from '../tools/errors.ts';
import { n8nScript, nodeProgram } from '../tools/paths.ts';
import { isRunning, lastLines, startProcess, stopProcess } from '../tools/processes.ts';
import { waitUntil } from '../tools/waiting.ts';
import { n8nEnvironment, newEncryptionKey } from './environment.ts';

export interface N8nProcessOptions {
	/** The folder for everything this n8n writes; created if missing. */
	userFolder: string;
	/** n8n's command and its arguments; `start` by default. */
	command?: readonly string[];
	/** A port of 127.0.0.1; any free one by default. */
	port?: number | undefined;
	/** What n8n encrypts credentials with; a new key by default. */
	encryptionKey?: string | undefined;
	/** Environment variables in addition to, or instead of, those of environment.ts. */
	settings?: Readonly<Record<string, string>> | undefined;
}

/** n8n takes 7 to 12 s on two cores; slow disks and busy machines need more. */
export const startWithinMs = 300_000;

/** A process of a real n8n: a whole n8n, or a worker or a webhook processor of one. */
export class N8nProcess {
	readonly url: string;
	readonly userFolder: string;
	readonly encryptionKey: string;
	readonly settings: Readonly<Record<string, string>>;
	readonly logFile: string;
	readonly #command: readonly string[];
	readonly #environment: NodeJS.ProcessEnv;
	#child: ChildProcess | undefined;
	/** In bytes: what earlier starts have logged. */
	#loggedBefore = 0;

	private constructor(options: N8nProcessOptions, port: number, brokerPort: number) {
		const { userFolder, command = ['start'], settings = {} } = options;
		this.url = `http://127.0.0.1:${port}`;
		this.userFolder = userFolder;
		this.encryptionKey = options.encryptionKey ?? newEncryptionKey();
		this.settings = settings;
		this.logFile = join(userFolder, 'n8n.log');
		this.#command = command;
		const { encryptionKey } = this;
		this.#environment = {
			...n8nEnvironment({ userFolder, port, brokerPort, encryptionKey }),
			...settings,
		};
	}

	/** Creates the user folder and picks the ports. Nothing runs yet. */
	static async prepare(options: N8nProcessOptions): Promise<N8nProcess> {
		await mkdir(options.userFolder, { recursive: true });
		// It takes n8n long to listen there.
		const port = options.port ?? (await getPort({ reserve: true }));
		return new N8nProcess(options, port, await getPort({ reserve: true }));
	}

	/**
	 * Starts n8n and waits until it is ready to take requests and `onReady` is done. Throws with the last
	 * lines of its log if it exits or fails before; nothing is left running then.
	 */
	async start(onReady?: () => Promise<void>): Promise<void> {
		const child = await this.#launch();
		this.#child = child;
		try {
			const what = 'n8n to be ready';
			await waitUntil(() => this.#isReady(child), { what, withinMs: startWithinMs });
			await onReady?.();
		} catch (error) {
			// While it starts, n8n ignores signals for seconds; it has nothing to lose yet.
			await stopProcess(child, 500);
			const log = lastLines(await readFile(this.logFile, 'utf8').catch(() => '(no log)'));
			throw new Error(`n8n did not start: ${errorMessage(error)}. The end of its log:\n${log}`);
		}
	}

	/**
	 * Stops n8n and its task runner; resolves when both are gone. Harmless if it is not running. What has not
	 * ended by itself within `graceMs` milliseconds is killed.
	 */
	async stop(graceMs?: number): Promise<void> {
		await this.#end((child) => stopProcess(child, graceMs));
	}

	/** Kills n8n as a power failure would: it gets no chance to save anything. */
	async kill(): Promise<void> {
		await this.#end((child) => stopProcess(child, 0, 'SIGKILL'));
	}

	get isRunning(): boolean {
		return this.#child !== undefined && isRunning(this.#child);
	}

	/** Resolves when n8n has exited, for whatever reason. */
	async exited(): Promise<void> {
		const child = this.#child;
		if (child && isRunning(child)) await once(child, 'exit');
	}

	async #end(how: (child: ChildProcess) => Promise<void>): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		if (child) await how(child);
	}

	/** The log goes to a file and not through us: n8n spins forever when the reader of a pipe is gone. */
	async #launch(): Promise<ChildProcess> {
		const preload = pathToFileURL(join(import.meta.dirname, 'endWithParent.js')).href;
		const log = await open(this.logFile, 'a');
		try {
			this.#loggedBefore = (await log.stat()).size;
			return startProcess(nodeProgram, ['--import', preload, n8nScript, ...this.#command], {
				env: this.#environment,
				cwd: this.userFolder,
				outputFile: log.fd,
				channel: true,
			});
		} finally {
			await log.close();
		}
	}

	/** n8n 2.12 and older calls itself ready before it serves anything; what it logs at last is true in every version. */
	async #isReady(child: ChildProcess): Promise<boolean> {
		if (!isRunning(child)) throw new Error(`it exited with code ${String(child.exitCode)}`);
		const response = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
		if (response?.ok !== true) return false;
		if (this.#command[0] !== 'start') return true;
		const log = await readFile(this.logFile);
		return log.subarray(this.#loggedBefore).includes('Editor is now accessible');
	}
}
