import { findAccount } from '../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import { readiestCard } from '../cards/card.ts';
import type { EventKind } from '../events/financialEvent.ts';
import { badRequest, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { authorize, type SimulationResult } from '../simulate/authorize.ts';
import { simulateStep } from '../simulate/steps.ts';
import { findEndpoint } from './endpoint.ts';

const AMOUNT = 1_00;

/**
 * Sends an event to one endpoint: that of a small purchase with a card of its account, which is declined, or later
 * refunded or reversed, as the kind says. Nobody receives the events before that. Throws a 404 for an unknown
 * endpoint, a 400 when its account has no usable card or no webhooks.
 */
export function sendTestEvent(
	services: Services,
	endpointId: string,
	kind: EventKind,
): SimulationResult {
	const { db } = services;
	const endpoint = findEndpoint(db, endpointId);
	if (!endpoint) throw notFound('The endpoint was not found');
	const account = findAccount(db, endpoint.accountId);
	if (!account?.features.webhooks) throw badRequest('Webhooks are not enabled for this account');
	const card = readiestCard(db, [account.id]);
	if (!card || (card.status !== 'active' && kind !== 'declined')) {
		throw badRequest('The account has no active card to make this event with');
	}
	const isLast = kind === 'approved' || kind === 'declined';
	const purchase = authorize(services, {
		cardId: card.id,
		amount: AMOUNT,
		currency: 'USD',
		merchant: { merchantName: 'SANDBOX TEST EVENT', merchantCountry: 'US' },
		decline:
			kind === 'declined' ? { ...SIMULATED_ISSUE_DEFAULTS, reason: 'suspected_fraud' } : undefined,
		endpointIds: isLast ? [endpointId] : [],
	});
	if (isLast) return purchase;
	const { id } = purchase.transaction;
	if (kind === 'reversed') return simulateStep(services, 'reversal', id, undefined, [endpointId]);
	simulateStep(services, 'clearing', id, undefined, []);
	return simulateStep(services, 'refund', id, undefined, [endpointId]);
}
