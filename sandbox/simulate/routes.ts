import { z } from 'zod/v4';

import { allAccountIds } from '../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import { readiestCard } from '../cards/card.ts';
import { financialEventSchema, merchantSchema, shortString } from '../events/financialEvent.ts';
import { badRequest, notFound } from '../http/errors.ts';
import { bodyRoute, type Routes } from '../http/route.ts';
import { amountSchema, currencySchema, positiveAmountSchema } from '../money.ts';
import type { Services } from '../services.ts';
import { transactionDetails, transactionSchema } from '../transactions/transaction.ts';
import { listEndpoints } from '../webhooks/endpoint.ts';
import { authorize, type SimulationResult } from './authorize.ts';
import { STEPS } from './lifecycle.ts';
import { simulateStep } from './steps.ts';

export const authorizationBody = merchantSchema
	.extend({
		cardId: z.guid().toLowerCase(),
		amount: amountSchema,
		currency: currencySchema,
		decline: z
			.strictObject({
				origin: shortString.default(SIMULATED_ISSUE_DEFAULTS.origin),
				reason: shortString,
				severity: shortString.default(SIMULATED_ISSUE_DEFAULTS.severity),
			})
			.optional(),
	})
	.strict();

/** POST /sandbox/simulate/authorization; without a card, an active one pays. */
export const anyCardBody = authorizationBody.partial({ cardId: true });

/** POST /sandbox/simulate/{step}; without an amount: all there is, but an increment needs one. */
const stepBody = z.strictObject({
	transactionId: z.guid().toLowerCase(),
	amount: positiveAmountSchema.optional(),
});

export const resultSchema = z.object({
	transaction: transactionSchema,
	event: financialEventSchema,
	deliveries: z.array(z.object({ id: z.string(), endpointId: z.string() })),
});

const resultDetails = (result: SimulationResult): z.infer<typeof resultSchema> => ({
	...result,
	transaction: transactionDetails(result.transaction),
});

/** The card that pays if none is named: if possible, of an account with an endpoint, which receives the event. */
function defaultCardId({ db }: Services): string {
	const withEndpoint = listEndpoints(db).map(({ accountId }) => accountId);
	const card = readiestCard(db, withEndpoint) ?? readiestCard(db, allAccountIds(db));
	if (!card) throw badRequest('cardId: there is no card');
	return card.id;
}

/** What the card network does: here the sandbox's user does it. */
export const simulateRoutes = (services: Services): Routes => ({
	'POST /simulate/authorization': bodyRoute(
		'Simulate a purchase, approved or declined',
		anyCardBody,
		({ cardId = defaultCardId(services), amount, currency, decline, ...merchant }) =>
			resultDetails(authorize(services, { cardId, amount, currency, decline, merchant })),
		{ response: resultSchema, status: 201 },
	),
	'POST /simulate/{step}': bodyRoute(
		`Continue a transaction: ${STEPS.join(', ')}`,
		stepBody,
		({ transactionId, amount }, name) => {
			const step = STEPS.find((each) => each === name);
			if (!step) throw notFound(`There is no step ${name}: ${STEPS.join(', ')}`);
			return resultDetails(simulateStep(services, step, transactionId, amount));
		},
		{ response: resultSchema, status: 201 },
	),
});
