import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

import { waitUntil } from '../../harness/tools/waiting.ts';

/** How often the database is looked at while executions run, in milliseconds. */
const everyMs = 10;

const countSchema = z.object({ ended: z.number(), failed: z.number(), total: z.number() });

/** How many executions of a workflow n8n has recorded. */
export type Counts = z.infer<typeof countSchema>;

const rowSchema = z.object({
	id: z.number(),
	status: z.string(),
	startedAt: z.string(),
	stoppedAt: z.string(),
});

/** The newest ended execution of a workflow. */
export interface LatestExecution {
	id: string;
	status: string;
	/** From its start to its end, in milliseconds, as n8n recorded it. */
	tookMs: number;
}

/**
 * Looks at executions in n8n's SQLite file, beside n8n: to be asked through its API would cost n8n the
 * time that is being measured.
 */
export class ExecutionTable {
	readonly #database: DatabaseSync;

	/** @param userFolder of an n8n that has been started */
	constructor(userFolder: string) {
		this.#database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
			readOnly: true,
			timeout: 30_000,
		});
	}

	/** Counts the executions of a workflow. */
	count(workflowId: string): Counts {
		const row = this.#database
			.prepare(
				`SELECT count(*) AS total,
					count(CASE WHEN status NOT IN ('new', 'running', 'waiting') THEN 1 END) AS ended,
					count(CASE WHEN status IN ('error', 'crashed', 'canceled') THEN 1 END) AS failed
				FROM execution_entity WHERE workflowId = ?`,
			)
			.get(workflowId);
		return countSchema.parse(row);
	}

	/**
	 * Waits until `wanted` executions of a workflow have ended. Throws when they do not, or when one fails
	 * that may not.
	 */
	async untilEnded(
		workflowId: string,
		wanted: number,
		{ signal, mayFail = false }: { signal?: AbortSignal; mayFail?: boolean } = {},
	): Promise<void> {
		const probe = () => {
			const { ended, failed } = this.count(workflowId);
			if (failed > 0 && !mayFail) throw new Error(`${failed} executions failed`);
			return ended >= wanted ? true : undefined;
		};
		const what = `${wanted} executions to end`;
		await waitUntil(probe, { what, withinMs: 300_000, everyMs, signal });
	}

	/** The newest execution of a workflow. Throws if it does not exist or has not ended. */
	latest(workflowId: string): LatestExecution {
		const row = rowSchema.parse(
			this.#database
				.prepare(
					`SELECT id, status, startedAt, stoppedAt FROM execution_entity
					WHERE workflowId = ? ORDER BY id DESC LIMIT 1`,
				)
				.get(workflowId),
		);
		const tookMs = instant(row.stoppedAt) - instant(row.startedAt);
		return { id: String(row.id), status: row.status, tookMs };
	}

	/** Lets go of the file. */
	close(): void {
		this.#database.close();
	}
}

/** n8n stores "2026-11-21 05:00:00.123", in UTC. */
const instant = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
