import { z } from 'zod/v4';

import { findAccount } from '../accounts/account.ts';
import { pageSchema } from '../database/paging.ts';
import { badRequest, forbidden, notFound } from '../http/errors.ts';
import { pageParameters } from '../http/query.ts';
import { bodyRoute, queryRoute, route, type Routes } from '../http/route.ts';
import type { Services } from '../services.ts';
import { deliveryFilters, deliverySchema, listDeliveries } from './deliveryLog.ts';
import {
	endpointsOf,
	endpointUrlSchema,
	insertEndpoint,
	listEndpoints,
	removeEndpoint,
	rotateSecret,
	signingSecretSchema,
} from './endpoint.ts';
import { redeliver } from './outbox.ts';

export const endpointBody = z.strictObject({
	accountId: z.number().int(),
	url: endpointUrlSchema,
	/** Its signing secret; by default a random one. */
	secret: signingSecretSchema.optional(),
});

/** GET /sandbox/deliveries: newest first unless `sort` is "asc", in pages as the API's (§8). */
const deliveryParameters = pageParameters
	.pick({ sort: true, page: true, pageSize: true })
	.extend(deliveryFilters.shape);

/**
 * Subscribes a URL and gives the endpoint with its secret. Throws a 404 for an unknown account, a 403
 * while webhooks are not enabled for it, and a 400 for a URL that it has already.
 */
export function addEndpoint({ db, now }: Services, endpoint: z.infer<typeof endpointBody>) {
	const account = findAccount(db, endpoint.accountId);
	if (!account) throw notFound('No account has this accountId');
	if (!account.features.webhooks) throw forbidden('Webhooks are not enabled for this account');
	const { href } = new URL(endpoint.url);
	if (endpointsOf(db, account.id).some(({ url }) => new URL(url).href === href)) {
		throw badRequest('url: the account has it already: rotate its secret, or remove it first');
	}
	return insertEndpoint(db, endpoint, now());
}

/** What the real dashboard's webhooks tab offers (§6): subscriptions, secrets, deliveries. */
export const webhookRoutes = (services: Services): Routes => ({
	'GET /endpoints': route('List the endpoints', () => ({ data: listEndpoints(services.db) })),
	'POST /endpoints': bodyRoute(
		'Add an endpoint for the events of an account',
		endpointBody,
		(endpoint) => addEndpoint(services, endpoint),
		{ status: 201 },
	),
	'DELETE /endpoints/{id}': route('Remove an endpoint; its pending deliveries fail', (id) =>
		removeEndpoint(services, id),
	),
	'POST /endpoints/{id}/rotate': bodyRoute(
		'Rotate the secret; the previous one signs too, for 24 hours',
		z.strictObject({ secret: signingSecretSchema.optional() }),
		({ secret }, id) => ({ id, signingSecret: rotateSecret(services, id, secret) }),
	),
	'GET /deliveries': queryRoute(
		'List deliveries with their attempts, the newest first',
		deliveryParameters,
		(query) => listDeliveries(services.db, query, query),
		{ response: pageSchema(deliverySchema) },
	),
	'POST /deliveries/{id}/redeliver': route(
		'Send a delivery again',
		(id) => {
			redeliver(services, id);
			return { id, status: 'pending' };
		},
		{ status: 202 },
	),
});
