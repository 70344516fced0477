import { Hono } from 'hono';
import { z } from 'zod';
import { transactionDetails } from '../api/represent.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import type { Services } from '../services.ts';
import { STEPS } from '../domain/lifecycle.ts';
import { authorize, type SimulationResult } from '../simulate/authorization.ts';
import { simulateStep } from '../simulate/steps.ts';
import { authorizationBody, stepBody } from './body.ts';
import type { ControlEnv } from './guard.ts';
import { jsonBody, pathParameters } from './input.ts';

const stepParameters = z.object({ step: z.enum(STEPS) });

const resultDetails = ({ transaction, event, deliveries }: SimulationResult) => ({
	transaction: transactionDetails(transaction),
	event,
	deliveries,
});

/** What the card network does: here the sandbox's user does it. */
export function simulateRoutes(services: Services) {
	return new Hono<ControlEnv>()
		.post('/authorization', jsonBody(authorizationBody), (c) => {
			const { cardId, amount, currency, decline, ...merchant } = c.req.valid('json');
			const result = authorize(services, {
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
			return c.json(resultDetails(result), 201);
		})

		.post('/:step', pathParameters(stepParameters), jsonBody(stepBody), (c) => {
			const { step } = c.req.valid('param');
			const { transactionId, amount } = c.req.valid('json');
			return c.json(resultDetails(simulateStep(services, step, transactionId, amount)), 201);
		});
}
