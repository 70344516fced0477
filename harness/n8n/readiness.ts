import { requestJson } from '../tools/json.ts';
import { waitUntil } from '../tools/waiting.ts';
import { z } from 'zod';

/** n8n takes 7 to 12 s on two cores; slow disks and busy machines need more. */
const withinMs = 300_000;

const statusSchema = z.object({
	data: z.object({
		/** Published means that the triggers are on and the webhooks are registered. */
		status: z.enum(['not_published', 'in_progress', 'published', 'partial', 'failed']),
		triggers: z.array(z.object({ errorMessage: z.string().nullable() })),
	}),
});

/** Waits until n8n answers requests. Throws after five minutes. */
export async function untilItAnswers(url: string, signal?: AbortSignal): Promise<void> {
	const probe = async () => {
		const response = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
		return response?.ok === true ? true : undefined;
	};
	await waitUntil(probe, { what: 'n8n to answer', withinMs, signal });
}

/**
 * Waits until a published workflow's triggers are on. Throws after five minutes, and at once, with
 * what the trigger said, when one cannot be turned on.
 */
export async function untilItListens(
	url: string,
	cookie: string,
	workflowId: string,
	signal?: AbortSignal,
): Promise<void> {
	const address = `${url}/rest/workflows/${workflowId}/publication-status`;
	const probe = async () => {
		const { data } = await requestJson(address, statusSchema, { headers: { cookie }, signal });
		if (data.status === 'published') return true;
		if (data.status !== 'failed' && data.status !== 'partial') return undefined;
		const reasons = data.triggers.map(({ errorMessage }) => errorMessage).filter((text) => text);
		throw new Error(`a trigger could not be turned on: ${reasons.join('; ')}`);
	};
	await waitUntil(probe, { what: `n8n to turn workflow ${workflowId} on`, withinMs, signal });
}
