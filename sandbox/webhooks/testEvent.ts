import { listAccounts } from '../accounts/account.ts';
import { listCards } from '../cards/card.ts';
import { badRequest, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { authorize, type SimulationResult } from '../simulate/authorize.ts';
import { findEndpoint } from './endpoint.ts';

const AMOUNT = 1_00;

/**
 * Sends an event to one endpoint: that of a small purchase with a card of its account. Throws a 404
 * for an unknown endpoint, a 400 when its account has no card or no webhooks.
 */
export function sendTestEvent(services: Services, endpointId: string): SimulationResult {
	const { db } = services;
	const endpoint = findEndpoint(db, endpointId);
	if (!endpoint) throw notFound('The endpoint was not found');
	const account = listAccounts(db).find(({ id }) => id === endpoint.accountId);
	if (!account?.features.webhooks) throw badRequest('Webhooks are not enabled for this account');
	const firstPage = { sort: 'desc', page: 1, pageSize: 1 } as const;
	const cards = (status?: 'active') => listCards(db, [account.id], { status }, firstPage, 1).data;
	const [card] = [...cards('active'), ...cards()];
	if (!card) throw badRequest('The account has no card to make a test event with');
	return authorize(services, {
		cardId: card.id,
		amount: AMOUNT,
		currency: 'USD',
		merchant: { merchantName: 'SANDBOX TEST EVENT', merchantCountry: 'US' },
		endpointId,
	});
}
