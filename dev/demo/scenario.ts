import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Card } from '../harness/publicApi.ts';
import type { CardEvent, Purchase } from '../harness/sandboxClient.ts';
import type { Automation } from '../harness/scenario/automation.ts';
import { type Outcome, trackPurchase } from '../harness/scenario/purchase.ts';
import type { SandboxFixture } from '../harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../harness/signing.ts';
import type { Report } from '../harness/tools/program.ts';

/** What the purchases and the forgery need. */
interface DemoContext {
	report: Report;
	company: SandboxFixture;
	automation: Automation;
}

/** An everyday purchase. The workflow runs and lets the card be. */
export async function ordinaryPurchase(demo: DemoContext): Promise<Outcome> {
	return buy(demo, 'active', {
		cardId: demo.company.active[0].id,
		amount: '18.40',
		merchantName: 'Corner Bakery',
		merchantCountry: 'US',
	});
}

/** A declined purchase, abroad and large. The workflow freezes the card. */
export async function suspiciousPurchase(demo: DemoContext): Promise<Outcome> {
	return buy(demo, 'frozen', {
		cardId: demo.company.active[0].id,
		amount: '2450.00',
		merchantName: 'Elektronik Outlet',
		merchantCountry: 'RO',
		decline: { reason: 'suspected_fraud' },
	});
}

/** Someone without the signing secret reports a purchase again, for another card. */
export async function forgedDelivery(
	{ report, company, automation }: DemoContext,
	event: CardEvent,
): Promise<void> {
	const cardId = company.active[1].id;
	const forged = { ...event, id: randomUUID(), cardId };
	const delivery = signedDelivery(forged, 'not the signing secret');
	const status = await deliver(automation.webhookUrl, delivery);
	assert.equal(status, 401, `The response to a forged delivery was ${status}`);
	const card = await company.api.card(cardId);
	assert.equal(card.status, 'active', 'A forged delivery froze a card');
	report(`   the same event for ${describe(card)}, signed with a wrong secret: HTTP ${status}`);
	report(`   n8n reported the wrong secret as a failed execution; the card is ${card.status}`);
}

async function buy(
	{ report, company, automation }: DemoContext,
	wanted: Card['status'],
	purchase: Purchase,
): Promise<Outcome> {
	const outcome = await trackPurchase({ ...company, ...automation }, purchase);
	const { event, execution, card } = outcome;
	assert.equal(execution.status, 'success', `The execution ended: ${execution.status}`);
	assert.equal(card.status, wanted, `The card is ${card.status}, not ${wanted}`);
	const { amount, merchantName, merchantCountry, decline } = purchase;
	const result = decline ? `declined (${decline.reason})` : 'approved';
	report(`   ${amount} USD at ${merchantName} (${merchantCountry}), ${result}`);
	report(`   with ${describe(card)}: event ${event.id}`);
	report(`   execution ${execution.id} has ended; the API says that the card is ${card.status}`);
	return outcome;
}

function describe({ name, lastFour }: Card): string {
	return `the card "${name}" (…${lastFour})`;
}
