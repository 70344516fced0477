import { randomUUID } from 'node:crypto';

import { findAccount } from '../accounts/account.ts';
import { readiestCard } from '../cards/card.ts';
import type { EventKind, FinancialEvent } from '../events/financialEvent.ts';
import { recordEvent } from '../events/record.ts';
import { badRequest, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { sampleEvent } from '../simulate/scenarios.ts';
import { findEndpoint } from './endpoint.ts';

const MERCHANT = { merchantName: 'SANDBOX TEST EVENT', merchantCountry: 'US' };

/**
 * Sends an event to one endpoint, of a card of its account. It belongs to no transaction, and no list has it. Throws
 * a 404 for an unknown endpoint, a 400 when its account has no usable card or no webhooks.
 */
export function sendTestEvent(
	{ db, now, wakeDeliveries }: Pick<Services, 'db' | 'now' | 'wakeDeliveries'>,
	endpointId: string,
	kind: EventKind,
): { event: FinancialEvent } {
	const endpoint = findEndpoint(db, endpointId);
	if (!endpoint) throw notFound('The endpoint was not found');
	const { accountId } = endpoint;
	if (!findAccount(db, accountId)?.features.webhooks) {
		throw badRequest('Webhooks are not enabled for this account');
	}
	const card = readiestCard(db, [accountId]);
	if (!card || (card.status !== 'active' && kind !== 'declined')) {
		throw badRequest('The account has no active card to make this event with');
	}
	const at = now();
	const ids = { id: randomUUID(), transactionId: randomUUID(), cardId: card.id };
	const event = sampleEvent(kind, ids, at, 1_00, MERCHANT);
	db.transaction(() => {
		recordEvent(db, event, { step: 'test', accountId, endpointIds: [endpointId] }, at);
	});
	wakeDeliveries();
	return { event };
}
