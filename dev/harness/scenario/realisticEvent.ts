import { randomUUID } from 'node:crypto';

/** A declined purchase with all fields that an event may have: about 1 KB of JSON. Never the same twice. */
export function realisticEvent(): { id: string } {
	const event = {
		transactionId: randomUUID(),
		cardId: randomUUID(),
		amount: '980.00',
		amountDirection: 'debit',
		currency: 'USD',
		category: 'electronics',
		isReversal: false,
		isSuccess: false,
		createdAt: new Date().toISOString(),
		issues: [
			{ origin: 'network', reason: 'suspected_fraud', severity: 'high' },
			{ origin: 'platform', reason: 'card_limit_exceeded', severity: 'high' },
			{ origin: 'platform', reason: 'merchant_category_not_allowed', severity: 'medium' },
			{ origin: 'platform', reason: 'merchant_country_unusual', severity: 'low' },
		],
		mcc: '5732',
		merchantName: 'Elektronik Outlet',
		merchantCity: 'Bucharest',
		merchantState: 'B',
		merchantCountry: 'RO',
		merchantPostalCode: '010011',
		merchantStreetAddress: 'Calea Victoriei 120, ground floor',
		merchantTaxId: 'RO12345678',
	};
	return { id: randomUUID(), ...event };
}
