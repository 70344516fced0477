import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { TestSandbox } from './sandbox.ts';

const endpoint = z.object({ id: z.string(), signingSecret: z.string() });

const simulated = z.object({
	transaction: z.record(z.unknown()),
	event: z.object({ id: z.string() }).passthrough(),
	deliveries: z.array(z.object({ id: z.string(), endpointId: z.string() })),
});

const deliveries = z.object({
	data: z.array(
		z.object({
			id: z.string(),
			eventId: z.string(),
			endpointId: z.string(),
			url: z.string(),
			status: z.string(),
			attempts: z.array(
				z.object({
					at: z.string(),
					httpStatus: z.number().nullable(),
					durationMs: z.number(),
					error: z.string().nullable(),
					responseBody: z.string(),
				}),
			),
		}),
	),
});

/** Subscribes a URL for an account; `more` sets other fields of the endpoint. */
export async function subscribe(
	sandbox: TestSandbox,
	url: string,
	accountId = 1001,
	more: Record<string, unknown> = {},
) {
	const { body } = await sandbox.control('POST', '/endpoints', { accountId, url, ...more });
	return endpoint.parse(body);
}

/** Simulates an authorization that is answered with 201. */
export async function simulate(sandbox: TestSandbox, request: Record<string, unknown>) {
	const { body } = await sandbox.control('POST', '/simulate/authorization', request);
	return simulated.parse(body);
}

/** Simulates a step of a transaction that is answered with 201. */
export async function simulateStep(
	sandbox: TestSandbox,
	step: string,
	transactionId: string,
	amount?: string,
) {
	const { body } = await sandbox.control('POST', `/simulate/${step}`, { transactionId, amount });
	return simulated.parse(body);
}

/** Reads the delivery log, with a query like '?eventId=…'. */
export async function deliveryLog(sandbox: TestSandbox, query = '') {
	const { body } = await sandbox.control('GET', `/deliveries${query}`);
	return deliveries.parse(body).data;
}

/** The signature that §6 asks for, computed on its own. */
export const expectedSignature = (secret: string, body: Buffer): string =>
	`v0=${createHmac('sha256', secret).update(body).digest('hex')}`;
