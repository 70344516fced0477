/**
 * What the Simulate tab offers to pay for. A decline is asked of the network; the platform may
 * decline any of them by itself.
 *
 * @type {{
 *   name: string,
 *   label: string,
 *   amount: string,
 *   currency: string,
 *   declines: boolean,
 *   merchant: Record<string, string> & { merchantName: string, mcc: string, category: string },
 * }[]}
 */
export const SCENARIOS = [
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

/** Reasons that the card network declines for. */
export const DECLINE_REASONS = [
	'suspected_fraud',
	'insufficient_funds',
	'do_not_honor',
	'incorrect_security_code',
	'expired_card',
	'merchant_not_allowed',
];
