import { randomUUID } from 'node:crypto';

import type { Purchase } from '../../sandbox/client.ts';
import type { Card } from '../harness/publicApi.ts';
import type { DemoEnvironment } from '../harness/scenario/automation.ts';
import { type Outcome, readTheLog, trackPurchase } from '../harness/scenario/purchase.ts';
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

/** Someone without the signing secret reports a purchase again, for another card. Returns lines that say what happened. */
export async function forgedDelivery(
	{ company, automation, signal }: DemoEnvironment,
	{ event }: Outcome,
): Promise<string[]> {
	const cardId = company.active[1].id;
	const forged = { ...event, id: randomUUID(), cardId };
	const delivery = signedDelivery(forged, 'not the signing secret');
	const status = await deliver(automation.webhookUrl, delivery, signal);
	assert(status === 401, `The response to a forged delivery was ${status}`, readTheLog);
	const card = await company.api.card(cardId);
	assert(card.status === 'active', 'A forged delivery froze a card', readTheLog);
	return [
		`the same event for ${describe(card)}, signed with a wrong secret: HTTP ${status}`,
		`n8n reported the wrong secret as a failed execution; the card is ${card.status}`,
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
