import { Hono } from 'hono';
import { z } from 'zod/v4';

import { findAccount } from '../accounts/account.ts';
import { DEFAULT_RETRY_TIMESTAMP, MAX_NAME_LENGTH } from '../assumptions.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { ControlEnv } from '../http/guard.ts';
import { pageParameters, readQuery } from '../http/query.ts';
import { readBody } from '../http/readBody.ts';
import type { Services } from '../services.ts';
import { deliveryStatusSchema, listDeliveries } from './deliveryLog.ts';
import {
	endpointUrlSchema,
	insertEndpoint,
	listEndpoints,
	removeEndpoint,
	retryTimestampSchema,
	rotateSecret,
	signingSecretSchema,
} from './endpoint.ts';
import { redeliver } from './outbox.ts';

/** POST /sandbox/endpoints. */
export const endpointBody = z
	.object({
		accountId: z.number().int(),
		name: z.string().trim().min(1).max(MAX_NAME_LENGTH).optional(),
		url: endpointUrlSchema,
		/** Its signing secret; by default a random one. */
		secret: signingSecretSchema.optional(),
		retryTimestamp: retryTimestampSchema.default(DEFAULT_RETRY_TIMESTAMP),
	})
	.strict();

/** POST /sandbox/endpoints/{id}/rotate. */
export const rotateBody = z.strictObject({ secret: signingSecretSchema.optional() });

/** GET /sandbox/deliveries: newest first unless `sort` is "asc", in pages as the API's (§8). */
export const deliveryParameters = pageParameters
	.pick({ sort: true, page: true, pageSize: true })
	.extend({
		eventId: z.string().optional(),
		endpointId: z.string().optional(),
		status: deliveryStatusSchema.optional(),
	});

/**
 * Subscribes a URL and gives the endpoint with its secret. Throws a 404 for an unknown account, a 403
 * while webhooks are not enabled for it.
 */
export function addEndpoint(
	{ db, now, requestLog }: Services,
	endpoint: z.infer<typeof endpointBody>,
) {
	const account = findAccount(db, endpoint.accountId);
	if (!account) throw notFound('No account has this accountId');
	if (!account.features.webhooks) throw forbidden('Webhooks are not enabled for this account');
	const added = insertEndpoint(db, endpoint, now());
	requestLog.hide(added.signingSecret);
	return added;
}

/** What the real dashboard's webhooks tab offers (§6): subscriptions, secrets, deliveries. */
export function webhookRoutes(services: Services) {
	const { db } = services;
	return new Hono<ControlEnv>()
		.get('/endpoints', (c) => c.json({ data: listEndpoints(db) }))

		.post('/endpoints', async (c) =>
			c.json(addEndpoint(services, await readBody(c, endpointBody)), 201),
		)

		.post('/endpoints/:id/rotate', async (c) => {
			const id = c.req.param('id');
			const { secret } = await readBody(c, rotateBody);
			return c.json({ id, signingSecret: rotateSecret(services, id, secret) });
		})

		.delete('/endpoints/:id', (c) => {
			removeEndpoint(services, c.req.param('id'));
			return c.body(null, 204);
		})

		.get('/deliveries', (c) => {
			const parameters = readQuery(c, deliveryParameters);
			return c.json(listDeliveries(db, parameters, parameters));
		})

		.post('/deliveries/:id/redeliver', (c) => {
			const id = c.req.param('id');
			redeliver(services, id);
			return c.json({ id, status: 'pending' }, 202);
		});
}
