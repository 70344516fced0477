import { requestJson } from '../tools/json.ts';
import { z } from '../tools/zod.ts';

/** A node that took part in an execution, and the items it gave out (all outputs, last run). */
export interface ExecutedNode {
	name: string;
	items: unknown[];
}

/** A run of a workflow that has ended, as n8n recorded it. */
export interface Execution {
	id: string;
	workflowId: string;
	/** n8n's own word: success, error, crashed, canceled… */
	status: string;
	nodes: ExecutedNode[];
}

const itemSchema = z.object({ json: z.unknown() });
const runSchema = z.object({
	data: z.object({ main: z.array(z.array(itemSchema).nullable()).optional() }).optional(),
});

const pageSchema = z.object({
	data: z.array(
		z.object({
			id: z.coerce.string(),
			workflowId: z.string(),
			status: z.string(),
			data: z
				.object({ resultData: z.object({ runData: z.record(z.array(runSchema)) }).optional() })
				.optional(),
		}),
	),
	nextCursor: z.string().nullable(),
});

type Page = z.infer<typeof pageSchema>;

/**
 * Reads all executions that have ended, newest first. Through n8n's public API and not from its
 * database: it is documented, decodes the stored data, and never meets a half-written row.
 * Throws when n8n does not answer as documented.
 */
export async function readExecutions(
	url: string,
	apiKey: string,
	signal?: AbortSignal,
): Promise<Execution[]> {
	const executions: Execution[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const query = new URLSearchParams({
			includeData: 'true',
			limit: '100',
			...(cursor && { cursor }),
		});
		const page: Page = await requestJson(
			`${url}/api/v1/executions?${query.toString()}`,
			pageSchema,
			{ headers: { 'X-N8N-API-KEY': apiKey }, signal },
		);
		cursor = page.nextCursor;
		executions.push(
			...page.data.map(({ data, ...execution }) => ({
				...execution,
				nodes: Object.entries(data?.resultData?.runData ?? {}).map(([name, runs]) => ({
					name,
					items: (runs.at(-1)?.data?.main ?? []).flatMap((output) =>
						(output ?? []).map(({ json }) => json),
					),
				})),
			})),
		);
	}
	return executions;
}
