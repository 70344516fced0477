import type { Merchant } from '../events/financialEvent.ts';

/** A purchase that the dashboard offers to simulate. */
export interface Scenario {
	name: string;
	label: string;
	/** A decimal string (§2). */
	amount: string;
	currency: string;
	/** Whether the network declines it; the platform may decline any of them. */
	declines: boolean;
	merchant: Merchant & { merchantName: string; mcc: string; category: string };
}

/** What the dashboard offers to pay for. */
export const SCENARIOS: [Scenario, ...Scenario[]] = [
	{
		name: 'purchase',
		label: 'Purchase',
		amount: '42.50',
		currency: 'USD',
		declines: false,
		merchant: {
			merchantName: 'PAPERWORKS SUPPLY CO',
			merchantCity: 'Columbus',
			merchantState: 'OH',
			merchantCountry: 'US',
			mcc: '5943',
			category: 'office_supplies_and_cleaning',
		},
	},
	{
		name: 'decline',
		label: 'Decline',
		amount: '649.00',
		currency: 'USD',
		declines: true,
		merchant: {
			merchantName: 'VOLTBARN ELECTRONICS',
			merchantCity: 'Austin',
			merchantState: 'TX',
			merchantCountry: 'US',
			mcc: '5732',
			category: 'electronics',
		},
	},
	{
		name: 'decline-abroad',
		label: 'Decline abroad',
		amount: '980.00',
		currency: 'USD',
		declines: true,
		merchant: {
			merchantName: 'ELEKTRONIK OUTLET',
			merchantCity: 'Bucharest',
			merchantCountry: 'RO',
			mcc: '5732',
			category: 'electronics',
		},
	},
	{
		name: 'foreign',
		label: 'Foreign',
		amount: '189.90',
		currency: 'EUR',
		declines: false,
		merchant: {
			merchantName: 'LIBRAIRIE DU QUAI',
			merchantCity: 'Paris',
			merchantCountry: 'FR',
			mcc: '5942',
			category: 'books_and_newspapers',
		},
	},
	{
		name: 'large',
		label: 'Large',
		amount: '18500.00',
		currency: 'USD',
		declines: false,
		merchant: {
			merchantName: 'NIMBUS CLOUD SERVICES',
			merchantCity: 'Seattle',
			merchantState: 'WA',
			merchantCountry: 'US',
			mcc: '7372',
			category: 'cloud_computing',
		},
	},
];

/** Reasons for which the card network declines. */
export const DECLINE_REASONS = [
	'suspected_fraud',
	'insufficient_funds',
	'do_not_honor',
	'incorrect_security_code',
	'expired_card',
	'merchant_not_allowed',
] as const;
