import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { N8n } from '../../harness/n8n/n8n.ts';
import { install } from '../../harness/n8n/package.ts';
import type { Workflow } from '../../harness/n8n/workflow.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { ExecutionTable } from './executions.ts';

/** A credential that workflows refer to by its type and name. */
export interface BenchCredential {
	type: string;
	name: string;
	data: object;
}

/** What all parts share. */
export interface BenchContext {
	/** A folder of this run's own. */
	folder: string;
	/** Builds and packs our package, the first time; gives the tarball's path. */
	pack: () => Promise<string>;
	/** Gets everything that has to be ended. */
	cleanup: Cleanup;
	signal: AbortSignal;
	/** Shows what is going on. */
	progress: (text: string) => void;
}

export interface BenchN8nOptions {
	/** Names the folder of this n8n, which must not exist yet. */
	name: string;
	credentials: readonly BenchCredential[];
	/** Published once n8n is up. */
	workflows: readonly Workflow[];
	/** Settings of n8n beyond those of harness/n8n/environment.ts. */
	settings?: Readonly<Record<string, string>>;
	/** Packages to install beside ours, by name: the folder of each; they have no dependencies. */
	packages?: Readonly<Record<string, string>>;
}

/** A running n8n with published workflows. */
export interface BenchN8n {
	n8n: N8n;
	table: ExecutionTable;
	/** Ends it; harmless when it has ended. */
	stop: () => Promise<void>;
}

/** Starts a real n8n with our package, and publishes workflows in it. Throws when one cannot be. */
export async function startBenchN8n(
	{ folder, pack, cleanup, signal, progress }: BenchContext,
	{ name, credentials, workflows, settings, packages = {} }: BenchN8nOptions,
): Promise<BenchN8n> {
	const tarball = await pack();
	progress(`starting n8n (${name})`);
	const userFolder = join(folder, name);
	const n8n = await N8n.prepare({ userFolder, signal, settings });
	await install(tarball, userFolder, signal);
	for (const [packageName, source] of Object.entries(packages)) {
		const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
		await cp(source, installed, { recursive: true });
	}
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	for (const { type, data, name: credential } of credentials) {
		await n8n.addCredential(type, data, credential);
	}
	for (const workflow of workflows) await n8n.addAndPublish(workflow);
	const table = new ExecutionTable(userFolder);
	return {
		n8n,
		table,
		async stop() {
			table.close();
			await n8n.stop();
		},
	};
}
