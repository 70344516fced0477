import type { ChildProcess } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { n8nEnvironment } from '../../harness/n8n/environment.ts';
import { endOfLog, launchN8n, type Program } from '../../harness/n8n/program.ts';
import { untilItAnswers } from '../../harness/n8n/readiness.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { explain } from '../../harness/tools/problem.ts';
import { killProcess, stopProcess } from '../../harness/tools/processes.ts';

/** What every process of one distributed n8n shares. */
export interface Shared {
	/** A folder of this run's own; each process gets a folder in it. */
	folder: string;
	/** Where the package was installed as a community package: a `.n8n` folder's `nodes`. */
	installed: string;
	encryptionKey: string;
	settings: Readonly<Record<string, string>>;
}

/** A webhook processor or a worker of a distributed n8n, which can be killed and started again. */
export class Member {
	readonly name: string;
	/** Where a webhook processor takes deliveries; where a worker tells its health and metrics. */
	readonly url: string;
	readonly #program: Program;
	readonly #command: readonly string[];
	#process: ChildProcess | undefined;

	private constructor(name: string, port: number, program: Program, command: readonly string[]) {
		this.name = name;
		this.url = `http://127.0.0.1:${port}`;
		this.#program = program;
		this.#command = command;
	}

	/** Makes a folder with the package in it and picks the ports. Nothing runs yet. */
	static async prepare(name: string, command: readonly string[], shared: Shared): Promise<Member> {
		const userFolder = join(shared.folder, name);
		const [port, brokerPort] = [await freePort(), await freePort()];
		await mkdir(join(userFolder, '.n8n'), { recursive: true });
		await cp(shared.installed, join(userFolder, '.n8n', 'nodes'), { recursive: true });
		const environment = {
			...n8nEnvironment({ userFolder, port, brokerPort, encryptionKey: shared.encryptionKey }),
			...shared.settings,
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		};
		const program = { userFolder, environment, logFile: join(userFolder, 'n8n.log') };
		return new Member(name, port, program, command);
	}

	/** Starts it and waits until it is ready. Throws with the end of its log when it does not get there. */
	async start(): Promise<void> {
		this.#process = await launchN8n(this.#program, ...this.#command);
		try {
			await untilItAnswers(this.url);
		} catch (error) {
			throw new Error(
				`${this.name} did not start: ${explain(error)}. The end of its log:\n${await endOfLog(this.#program)}`,
			);
		}
	}

	/** Ends it as a power failure does: it gets no chance to finish or to save anything. */
	async kill(): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child) await killProcess(child);
	}

	/** Ends it in good order. Harmless when it is not running. */
	async stop(): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child) await stopProcess(child);
	}
}
