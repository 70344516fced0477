import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type N8n, startPackedN8n } from '../harness/n8n/n8n.ts';
import type { Workflow } from '../harness/n8n/workflow.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import type { BenchContext } from './scenario.ts';

/** A credential that workflows refer to by its type and name. */
export interface BenchCredential {
	type: string;
	name: string;
	data: object;
}

interface BenchN8nOptions {
	/** Names the folder of this n8n, which must not exist yet. */
	name: string;
	credentials: readonly BenchCredential[];
	/** Published once n8n is up. */
	workflows: readonly Workflow[];
	/** Settings of n8n beyond those of dev/harness/n8n/environment.ts. */
	settings?: Readonly<Record<string, string>>;
}

export interface BenchN8n {
	n8n: N8n;
	executions: ExecutionTable;
}

/** Starts a real n8n with our package, and publishes workflows in it. */
export async function startBenchN8n(
	{ folder, cleanup, report }: BenchContext,
	{ name, credentials, workflows, settings }: BenchN8nOptions,
): Promise<BenchN8n> {
	report(`packing the package, and starting n8n (${name})`);
	const n8n = await startPackedN8n({ folder: join(folder, name), cleanup }, settings);
	for (const { type, data, name: credential } of credentials) {
		await n8n.addCredential(type, data, credential);
	}
	for (const workflow of workflows) await n8n.addAndPublish(workflow);
	return { n8n, executions: cleanup.use(new ExecutionTable(n8n.process.userFolder)) };
}

interface Counts {
	ended: number;
	failed: number;
	total: number;
}

/**
 * Reads executions in n8n's SQLite file, beside n8n: a request to its API would cost n8n the time that is
 * being measured.
 */
class ExecutionTable implements Disposable {
	readonly #database: DatabaseSync;

	/** @param userFolder of an n8n that has been started */
	constructor(userFolder: string) {
		this.#database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
			readOnly: true,
			timeout: 30_000,
		});
	}

	/** How many executions of a workflow n8n has recorded. */
	count(workflowId: string): Counts {
		const row = this.#database
			.prepare(
				`SELECT count(*) AS total,
					count(CASE WHEN status NOT IN ('new', 'running', 'waiting') THEN 1 END) AS ended,
					count(CASE WHEN status IN ('error', 'crashed', 'canceled') THEN 1 END) AS failed
				FROM execution_entity WHERE workflowId = ?`,
			)
			.get(workflowId);
		return row as unknown as Counts;
	}

	async waitForEnded(workflowId: string, wanted: number): Promise<void> {
		await waitUntil(() => this.count(workflowId).ended >= wanted, {
			what: `${wanted} executions to end`,
			withinMs: 300_000,
			everyMs: 10,
		});
	}

	/** The newest execution of a workflow, and how long it took. Throws if it has not ended. */
	latest(workflowId: string): { id: string; status: string; tookMs: number } {
		const { id, status, startedAt, stoppedAt } = this.#database
			.prepare(
				`SELECT id, status, startedAt, stoppedAt FROM execution_entity
					WHERE workflowId = ? ORDER BY id DESC LIMIT 1`,
			)
			.get(workflowId) as { id: number } & Record<'status' | 'startedAt' | 'stoppedAt', string>;
		return { id: String(id), status, tookMs: timeOf(stoppedAt) - timeOf(startedAt) };
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}
}

/** n8n stores "2026-11-21 05:00:00.123", in UTC. */
const timeOf = (stored: string) => Date.parse(`${stored.replace(' ', 'T')}Z`);
