import { Hono } from 'hono';
import { findAccount } from '../store/accounts.ts';
import { listDeliveries } from '../store/deliveryLog.ts';
import { deleteEndpoint, insertEndpoint, listEndpoints, rotateSecret } from '../store/endpoints.ts';
import { redeliver } from '../store/outbox.ts';
import { forbidden, notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { readBody } from '../readBody.ts';
import { endpointBody } from './body.ts';
import type { ControlEnv } from './guard.ts';

/** What the real dashboard's webhooks tab offers (§6): subscriptions, secrets, deliveries. */
export function webhookRoutes({ db, now, wakeDeliveries }: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/endpoints', (c) => c.json({ data: listEndpoints(db) }));

	routes.post('/endpoints', async (c) => {
		const endpoint = await readBody(c, endpointBody);
		const account = findAccount(db, endpoint.accountId);
		if (!account) throw notFound('No account has this accountId');
		if (!account.features.webhooks) throw forbidden('Webhooks are not enabled for this account');
		return c.json(insertEndpoint(db, endpoint, now()), 201);
	});

	routes.post('/endpoints/:id/rotate', (c) => {
		const id = c.req.param('id');
		const signingSecret = rotateSecret(db, id, now());
		if (signingSecret === undefined) throw notFound('The endpoint was not found');
		return c.json({ id, signingSecret });
	});

	routes.delete('/endpoints/:id', (c) => {
		const deleted = db.transaction(() => deleteEndpoint(db, c.req.param('id')));
		if (!deleted) throw notFound('The endpoint was not found');
		return c.body(null, 204);
	});

	routes.get('/deliveries', (c) => {
		const { eventId, endpointId } = c.req.query();
		return c.json({ data: listDeliveries(db, { eventId, endpointId }) });
	});

	routes.post('/deliveries/:id/redeliver', (c) => {
		const id = c.req.param('id');
		if (!redeliver(db, id, now())) {
			throw notFound('The delivery was not found, or its endpoint was removed');
		}
		wakeDeliveries();
		return c.json({ id, status: 'pending' }, 202);
	});

	return routes;
}
