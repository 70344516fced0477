import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { n8nEnvironment, newEncryptionKey } from './environment.ts';
import { type Execution, readExecution, readExecutions } from './executions.ts';
import { type Access, newOwner, setUpOwner } from './owner.ts';
import { endOfLog, launchN8n, type Program, runN8n } from './program.ts';
import { untilItAnswers, untilItListens } from './readiness.ts';
import { requestOk } from '../tools/json.ts';
import { freePort } from '../tools/ports.ts';
import { explain } from '../tools/problem.ts';
import { isRunning, killProcess, stopProcess, stopProcessWithin } from '../tools/processes.ts';

/** A credential as `n8n import:credentials` reads it: n8n encrypts the data itself. */
export interface ImportedCredential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface N8nOptions {
	/** An own folder for everything this n8n writes; it is made when it is missing. */
	userFolder: string;
	/** A port of 127.0.0.1; any free one, unless told. */
	port?: number | undefined;
	/** Ends whatever is going on. It does not end an n8n that is up: `stop()` does. */
	signal?: AbortSignal | undefined;
	/** What n8n encrypts credentials with; a new one, unless it has to be shared. */
	encryptionKey?: string | undefined;
	/** Settings of n8n beyond, or instead of, those of n8n/environment.ts. */
	settings?: Readonly<Record<string, string>> | undefined;
}

/** A real n8n on SQLite, as a child process: prepare it (import, publish), start it, ask it, stop it. */
export class N8n {
	/** Where the editor is, without a slash at the end. */
	readonly url: string;
	/** Who can sign in to the editor. */
	readonly owner = newOwner();
	readonly logFile: string;
	readonly #program: Program;
	readonly #signal: AbortSignal | undefined;
	#process: ChildProcess | undefined;
	#access: Access | undefined;
	readonly #published: string[] = [];

	private constructor(options: N8nOptions, port: number, brokerPort: number) {
		this.url = `http://127.0.0.1:${port}`;
		this.logFile = join(options.userFolder, 'n8n.log');
		this.#signal = options.signal;
		const { userFolder, encryptionKey = newEncryptionKey(), settings } = options;
		const environment = {
			...n8nEnvironment({ userFolder, port, brokerPort, encryptionKey }),
			...settings,
		};
		this.#program = { userFolder, environment, logFile: this.logFile };
	}

	/** Makes the user folder and picks the ports. Nothing runs yet. */
	static async prepare(options: N8nOptions): Promise<N8n> {
		await mkdir(options.userFolder, { recursive: true });
		const port = options.port ?? (await freePort());
		return new N8n(options, port, await freePort());
	}

	/** The production URL of a webhook node's path, once its workflow is published. */
	webhookUrl(webhookId: string, path: string): string {
		return `${this.url}/webhook/${webhookId}/${path}`;
	}

	/** Stores credentials, before the start. Throws with n8n's own words when it refuses. */
	async importCredentials(credentials: readonly ImportedCredential[]): Promise<void> {
		await this.#import('credentials', credentials);
	}

	/** Stores a workflow, before the start; it must have an id. Throws when n8n refuses. */
	async importWorkflow(workflow: object): Promise<void> {
		await this.#import('workflow', workflow);
	}

	/** Makes n8n run a stored workflow's webhooks and triggers from the next start on. Throws when it is unknown. */
	async publishWorkflow(id: string): Promise<void> {
		await runN8n(this.#program, ['publish:workflow', `--id=${id}`], this.#signal);
		this.#published.push(id);
	}

	/**
	 * Starts n8n and waits until it answers and the triggers of all published workflows are on.
	 * Throws with the last lines of its log when it does not get there.
	 */
	async start(): Promise<void> {
		this.#signal?.throwIfAborted();
		const child = await launchN8n(this.#program, 'start');
		this.#process = child;
		const died = once(child, 'exit').then(([code]) => {
			throw new Error(`it ended (exit code ${String(code)})`);
		});
		const over = new AbortController();
		try {
			await Promise.race([this.#ready(over.signal), died]);
		} catch (error) {
			// While it is starting, n8n hears no signal for seconds; it has nothing to lose yet.
			await stopProcessWithin(child, 500);
			this.#signal?.throwIfAborted();
			throw new Error(
				`n8n did not start: ${explain(error)}. The end of its log:\n${await endOfLog(this.#program)}`,
			);
		} finally {
			over.abort();
			died.catch(() => undefined);
		}
	}

	/** All executions that have ended, newest first. Throws when n8n is not up. */
	async executions(): Promise<Execution[]> {
		return readExecutions(this.url, this.#signedIn().apiKey, this.#signal);
	}

	/** One execution, whether it has ended or not. Throws when there is none of this id. */
	async execution(id: string): Promise<Execution> {
		return readExecution(this.url, this.#signedIn().apiKey, id, this.#signal);
	}

	/** Waits until a published workflow's triggers are on. Throws when one cannot be turned on. */
	async untilItListens(workflowId: string): Promise<void> {
		await untilItListens(this.url, this.#signedIn().cookie, workflowId, this.#signal);
	}

	/** Asks n8n for JSON as the editor does: reads `/types/nodes.json`, say; with a `body`, posts it. */
	async editorJson(path: string, body?: object): Promise<unknown> {
		return (await this.#ask(path, body)).json();
	}

	/** Asks n8n for a file as the editor does. */
	async editorFile(path: string): Promise<Buffer> {
		return Buffer.from(await (await this.#ask(path)).arrayBuffer());
	}

	/** Ends n8n with its task runner; resolves when both are gone. Harmless when it is not running. */
	async stop(): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child) await stopProcess(child);
	}

	/** Ends n8n as a power failure does: it gets no chance to save anything. */
	async kill(): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child) await killProcess(child);
	}

	/** Resolves when a started n8n has ended, whoever ended it. */
	async ended(): Promise<void> {
		const child = this.#process;
		if (child && isRunning(child)) await once(child, 'exit');
	}

	async #ready(over: AbortSignal): Promise<void> {
		const signal = this.#signal ? AbortSignal.any([this.#signal, over]) : over;
		await untilItAnswers(this.url, signal);
		this.#access ??= await setUpOwner(this.url, this.owner, signal);
		for (const id of this.#published) {
			await untilItListens(this.url, this.#access.cookie, id, signal);
		}
	}

	async #ask(path: string, body?: object): Promise<Response> {
		return requestOk(this.url + path, {
			method: body ? 'POST' : 'GET',
			headers: { cookie: this.#signedIn().cookie },
			body,
			signal: this.#signal,
		});
	}

	#signedIn(): Access {
		if (!this.#access) throw new Error('n8n is not up');
		return this.#access;
	}

	async #import(kind: 'credentials' | 'workflow', content: object): Promise<void> {
		// Credentials pass through this file in plain text: readable for this user only, and gone at once.
		const file = join(this.#program.userFolder, `${randomUUID()}.json`);
		try {
			await writeFile(file, JSON.stringify(content), { mode: 0o600 });
			await runN8n(this.#program, [`import:${kind}`, `--input=${file}`], this.#signal);
		} finally {
			await rm(file, { force: true });
		}
	}
}
