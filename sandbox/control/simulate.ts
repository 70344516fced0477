import { Hono } from 'hono';
import { transactionDetails } from '../api/represent.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import type { Services } from '../services.ts';
import { STEPS } from '../domain/lifecycle.ts';
import { authorize } from '../simulate/authorization.ts';
import { simulateStep } from '../simulate/steps.ts';
import { readBody } from '../readBody.ts';
import { authorizationBody, stepBody } from './body.ts';
import type { ControlEnv } from './guard.ts';

/** What the card network does: here the sandbox's user does it. */
export function simulateRoutes(services: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.post('/authorization', async (c) => {
		const body = await readBody(c, authorizationBody);
		const { cardId, amount, currency, decline, ...merchant } = body;
		const { transaction, event, deliveries } = authorize(services, {
			cardId,
			amount,
			currency,
			merchant,
			decline: decline && {
				origin: decline.origin ?? SIMULATED_ISSUE_DEFAULTS.origin,
				reason: decline.reason,
				severity: decline.severity ?? SIMULATED_ISSUE_DEFAULTS.severity,
			},
		});
		return c.json({ transaction: transactionDetails(transaction), event, deliveries }, 201);
	});

	for (const step of STEPS) {
		routes.post(`/${step}`, async (c) => {
			const { transactionId, amount } = await readBody(c, stepBody);
			const { transaction, event, deliveries } = simulateStep(
				services,
				step,
				transactionId,
				amount,
			);
			return c.json({ transaction: transactionDetails(transaction), event, deliveries }, 201);
		});
	}

	return routes;
}
