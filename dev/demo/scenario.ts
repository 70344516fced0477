import { randomUUID } from 'node:crypto';

import type { Purchase } from '../../sandbox/client.ts';
import type { Card } from '../harness/publicApi.ts';
import type { DemoEnvironment } from '../harness/scenario/automation.ts';
import {
	eventIdOf,
	type Outcome,
	readTheLog,
	trackPurchase,
	withoutRepeats,
} from '../harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../harness/signing.ts';
import { assert } from '../harness/tools/errors.ts';

/** An everyday purchase. The workflow runs and lets the card be. */
export async function ordinaryPurchase(environment: DemoEnvironment): Promise<Outcome> {
	return buy(environment, 'active', {
		cardId: environment.company.active[0].id,
		amount: '18.40',
		merchantName: 'Corner Bakery',
		merchantCountry: 'US',
	});
}

/** A declined purchase, abroad and large. The workflow freezes the card. */
export async function suspiciousPurchase(environment: DemoEnvironment): Promise<Outcome> {
	return buy(environment, 'frozen', {
		cardId: environment.company.active[0].id,
		amount: '2450.00',
		merchantName: 'Elektronik Outlet',
		merchantCountry: 'RO',
		decline: { reason: 'suspected_fraud' },
	});
}

/**
 * Someone without the signing secret reports the last of the `real` purchases, for another card. That n8n
 * started nothing is certain once a purchase made after it has been executed.
 *
 * @returns lines that say what happened
 */
export async function forgedDelivery(
	environment: DemoEnvironment,
	real: readonly Outcome[],
): Promise<string[]> {
	const { company, automation, signal } = environment;
	const cardId = company.active[1].id;
	const forged = { ...real.at(-1)?.event, id: randomUUID(), cardId };
	const delivery = signedDelivery(forged, 'not the signing secret');
	const status = await deliver(automation.webhookUrl, delivery, signal);
	assert(status === 401, `The response to a forged delivery was ${status}`, readTheLog);

	const next = await buy(environment, 'active', {
		cardId,
		amount: '7.95',
		merchantName: 'City Parking',
		merchantCountry: 'US',
	});
	const executions = withoutRepeats(await automation.n8n.executions(automation.workflowId));
	const realIds = [...real, next].map(({ event }) => event.id);
	const strays = executions.filter((execution) => !realIds.includes(eventIdOf(execution) ?? ''));
	// The trigger reports what it rejected, as an execution that fails before any step.
	const ranNothing = strays.every(({ nodes }) => nodes.every(({ items }) => items.length === 0));
	assert(ranNothing, 'A forged delivery started the workflow', readTheLog);
	return [
		`the same event for ${describe(next.card)}, signed with a wrong secret: HTTP ${status}`,
		`n8n ran the workflow ${executions.length - strays.length} times, once for each real event, and reported the wrong secret as a failed execution; the card is ${next.card.status}`,
	];
}

async function buy(
	{ company, automation, signal }: DemoEnvironment,
	wanted: Card['status'],
	purchase: Purchase,
): Promise<Outcome> {
	const outcome = await trackPurchase({ ...company, ...automation, signal }, purchase);
	const { httpStatus, execution, card } = outcome;
	assert(httpStatus === 200, `n8n responded with ${httpStatus ?? 'nothing'}`, readTheLog);
	assert(execution.status === 'success', `The execution ended: ${execution.status}`, readTheLog);
	assert(card.status === wanted, `The card is ${card.status}, not ${wanted}`, readTheLog);
	return outcome;
}

/** A purchase and what became of it, from the moment of the merchant's request. */
export function timelineOf({ purchase, card, execution, ...outcome }: Outcome): string[] {
	const { amount, merchantName, merchantCountry, decline } = purchase;
	const at = (ms: number, what: string) => `${`+${Math.round(ms)}`.padStart(8)} ms  ${what}`;
	return [
		`${amount} USD at ${merchantName} (${merchantCountry}), ${decline ? `declined (${decline.reason})` : 'approved'}, with ${describe(card)}`,
		at(outcome.sentMs, `event sent: ${outcome.event.id}`),
		at(outcome.deliveredMs, `delivery accepted: HTTP ${outcome.httpStatus ?? '?'}`),
		at(
			outcome.executedMs,
			`execution ${execution.id}: ${outcome.triedToFreeze ? 'froze the card' : 'nothing to freeze'}`,
		),
		at(outcome.readBackMs, `read back from the API: the card is ${card.status}`),
	];
}

function describe({ name, lastFour }: Card): string {
	return `the card "${name}" (…${lastFour})`;
}
