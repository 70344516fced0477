import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportedCredential, N8n } from '../../harness/n8n/n8n.ts';
import { installIntoN8n } from '../../harness/n8n/packedNode.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { z } from 'zod';
import { ExecutionTable } from './executions.ts';
import type { BenchWorkflow } from './workflow.ts';

const versionSchema = z.object({ data: z.object({ versionId: z.string() }) });

/** What all parts share. */
export interface Stage {
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
	credentials: readonly ImportedCredential[];
	/** Published once n8n is up. */
	workflows: readonly BenchWorkflow[];
	/** Settings of n8n beyond those of harness/n8n/environment.ts. */
	settings?: Readonly<Record<string, string>>;
	/** Packages to install beside ours, by name: the folder of each; they have no dependencies. */
	packages?: Readonly<Record<string, string>>;
}

/** A running n8n with published workflows. */
export interface BenchN8n {
	n8n: N8n;
	table: ExecutionTable;
	/** The production URL of a workflow's webhook. */
	urlOf: (workflow: BenchWorkflow) => string;
	/** Ends it; harmless when it has ended. */
	stop: () => Promise<void>;
}

/** Starts a real n8n with our package, and publishes workflows in it. Throws when one cannot be. */
export async function startBenchN8n(
	{ folder, pack, cleanup, signal, progress }: Stage,
	{ name, credentials, workflows, settings, packages = {} }: BenchN8nOptions,
): Promise<BenchN8n> {
	const tarball = await pack();
	progress(`starting n8n (${name})`);
	const userFolder = join(folder, name);
	const n8n = await N8n.prepare({ userFolder, signal, settings });
	await installIntoN8n(tarball, userFolder, signal);
	for (const [packageName, source] of Object.entries(packages)) {
		const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
		await cp(source, installed, { recursive: true });
	}
	await n8n.importCredentials(credentials);
	await n8n.importWorkflow(workflows);
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	for (const workflow of workflows) await publish(n8n, workflow);
	const table = new ExecutionTable(userFolder);
	return {
		n8n,
		table,
		urlOf: ({ webhookPath }) => `${n8n.url}/webhook/${webhookPath}`,
		async stop() {
			table.close();
			await n8n.stop();
		},
	};
}

/** Publishes a workflow in a running n8n: the command line would take seconds for each. */
async function publish(n8n: N8n, { id }: BenchWorkflow): Promise<void> {
	const address = `/rest/workflows/${id}`;
	const { data } = versionSchema.parse(await n8n.editorJson(address));
	await n8n.editorJson(`${address}/activate`, { versionId: data.versionId });
	await n8n.untilItListens(id);
}
