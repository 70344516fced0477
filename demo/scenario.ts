import { randomUUID } from 'node:crypto';

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
export async function ordinaryPurchase({
	company,
	automation,
	signal,
}: DemoEnvironment): Promise<Outcome> {
	const outcome = await trackPurchase(
		{ ...company, ...automation, signal },
		{
			cardId: company.active[0].id,
			amount: '18.40',
			merchantName: 'Corner Bakery',
			merchantCountry: 'US',
		},
	);
	assertSuccess(outcome);
	assert(outcome.card.status === 'active', 'An ordinary purchase froze the card', readTheLog);
	return outcome;
}

/** A declined purchase, abroad and large. The workflow freezes the card. */
export async function suspiciousPurchase({
	company,
	automation,
	signal,
}: DemoEnvironment): Promise<Outcome> {
	const outcome = await trackPurchase(
		{ ...company, ...automation, signal },
		{
			cardId: company.active[0].id,
			amount: '2450.00',
			merchantName: 'Elektronik Outlet',
			merchantCountry: 'RO',
			decline: { reason: 'suspected_fraud' },
		},
	);
	assertSuccess(outcome);
	assert(
		outcome.card.status === 'frozen',
		'A suspicious purchase did not freeze the card',
		readTheLog,
	);
	return outcome;
}

export interface Forgery {
	/** n8n's response to the forged delivery. */
	httpStatus: number;
	respondedInMs: number;
	/** The card that the forged event was about, read from the API. */
	card: Card;
	/** A real purchase that came afterwards, and was executed. */
	next: Outcome;
	/** How many executions of the workflow n8n has recorded. */
	executions: number;
	/** How many of them no real event has started. */
	strays: number;
}

/**
 * Somebody without the signing secret reports a suspicious purchase, like the last of the `real` ones but
 * on another card. n8n turns it away. That it recorded no execution is sure once a real event that came
 * later has been executed, and nothing but the real events has.
 */
export async function forgedDelivery(
	environment: DemoEnvironment,
	real: readonly Outcome[],
): Promise<Forgery> {
	const { company, automation, signal } = environment;
	const { n8n, webhookUrl, workflowId } = automation;
	const target = company.active[1];
	const forged = { ...real.at(-1)?.event, id: randomUUID(), cardId: target.id };

	const sent = performance.now();
	const delivery = signedDelivery(forged, 'not the signing secret');
	const httpStatus = await deliver(webhookUrl, delivery, signal);
	const respondedInMs = performance.now() - sent;
	assert(httpStatus === 401, `The response to a forged delivery was ${httpStatus}`, readTheLog);

	const next = await trackPurchase(
		{ ...company, ...automation, signal },
		{ cardId: target.id, amount: '7.95', merchantName: 'City Parking', merchantCountry: 'US' },
	);
	assertSuccess(next);
	const executions = withoutRepeats(await n8n.executions(workflowId));
	const realIds = [...real, next].map(({ event }) => event.id);
	const strays = executions.filter((execution) => !realIds.includes(eventIdOf(execution) ?? ''));
	assert(strays.length === 0, 'A forged delivery started the workflow', readTheLog);
	assert(next.card.status === 'active', 'A forged delivery froze a card', readTheLog);
	return {
		httpStatus,
		respondedInMs,
		card: next.card,
		next,
		executions: executions.length,
		strays: strays.length,
	};
}

function assertSuccess({ httpStatus, execution }: Outcome): void {
	assert(
		httpStatus === 200,
		`n8n responded to the delivery with ${httpStatus ?? 'nothing'}`,
		readTheLog,
	);
	assert(
		execution.status === 'success',
		`Execution ${execution.id} ended with "${execution.status}"`,
		readTheLog,
	);
}
