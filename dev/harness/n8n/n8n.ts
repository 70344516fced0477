import { join } from 'node:path';

import type { RunContext } from '../tools/folders.ts';
import { type N8nAddress, N8nClient } from './client.ts';
import { newOwner, setUpOwner } from './owner.ts';
import { packAndInstall } from './package.ts';
import { N8nProcess, type N8nProcessOptions } from './process.ts';

/** A real n8n in a separate process, which can be stopped, killed and started again. */
export class N8n extends N8nClient {
	readonly process: N8nProcess;

	private constructor(process: N8nProcess, from?: N8n) {
		const owner = from?.owner ?? newOwner();
		super({ url: process.url, owner, session: from?.session });
		this.process = process;
	}

	/** Creates the user folder and picks the ports. Nothing runs yet. */
	static async prepare(options: N8nProcessOptions): Promise<N8n> {
		return new N8n(await N8nProcess.prepare(options));
	}

	/** Prepares a second process over the same database, as workers share one; `more` changes its settings. */
	async prepareSecond(more: N8nProcessOptions['settings'] = {}): Promise<N8n> {
		const { userFolder, encryptionKey } = this.process;
		const settings = { ...this.process.settings, ...more };
		const process = await N8nProcess.prepare({ userFolder, encryptionKey, settings });
		const second = new N8n(process, this);
		for (const id of this.published) second.published.add(id);
		return second;
	}

	/**
	 * Starts n8n and waits until it is ready, its owner is set up, and the triggers of all workflows that
	 * were published are active. Throws with the last lines of its log if it does not get there.
	 */
	async start(): Promise<void> {
		await this.process.start(async () => {
			this.session ??= await setUpOwner(this.url, this.owner);
			for (const id of this.published) await this.waitForActive(id);
		});
	}

	/** What attaches a client in another process to this n8n. Throws if it is not up. */
	address(): N8nAddress {
		if (!this.session) throw new Error('n8n is not up');
		return { url: this.url, owner: this.owner, session: this.session };
	}

	/** Whether it runs, ready or not. */
	get isRunning(): boolean {
		return this.process.isRunning;
	}

	/** Stops n8n and its task runner; resolves when both are gone. Harmless if it is not running. */
	async stop(): Promise<void> {
		await this.process.stop();
	}

	/** Kills n8n as a power failure would: it gets no chance to save anything. */
	async kill(): Promise<void> {
		await this.process.kill();
	}
}

/** Starts the n8n of a run's folder; `cleanup` stops it. */
export async function startN8n(
	{ folder, cleanup }: RunContext,
	options: Pick<N8nProcessOptions, 'port' | 'settings'> = {},
): Promise<N8n> {
	const n8n = await N8n.prepare({ userFolder: join(folder, 'n8n'), ...options });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	return n8n;
}

/** Packs this package, installs it for the n8n of a run's folder, and starts that. */
export async function startPackedN8n(
	run: RunContext,
	settings?: N8nProcessOptions['settings'],
): Promise<N8n> {
	await packAndInstall(join(run.folder, 'n8n'));
	return startN8n(run, { settings });
}
