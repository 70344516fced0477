export const DECLINE_REASONS = [
	'insufficient_funds',
	'suspected_fraud',
	'do_not_honor',
	'incorrect_security_code',
	'expired_card',
	'merchant_not_allowed',
] as const;

/** A purchase that dashboard and command line offer to simulate. Without a category, which a card may not allow. */
export interface Scenario {
	name: string;
	label: string;
	/** A decimal string (§2). */
	amount: string;
	currency: string;
	merchant: { merchantName: string; merchantCountry: string; mcc: string };
	/** Why the network declines it, if it does; the platform may decline any of them. */
	reason: (typeof DECLINE_REASONS)[number] | undefined;
}

const scenario = (
	label: string,
	[amount, currency]: [string, string],
	[merchantName, merchantCountry, mcc]: [string, string, string],
	reason?: Scenario['reason'],
): Scenario => ({
	...{ name: label.toLowerCase().replace(' ', '-'), label, amount, currency, reason },
	merchant: { merchantName, merchantCountry, mcc },
});

export const PURCHASE = scenario(
	'Purchase',
	['42.50', 'USD'],
	['PAPERWORKS SUPPLY CO', 'US', '5943'],
);

export const DECLINE = scenario(
	'Decline',
	['649.00', 'USD'],
	['VOLTBARN ELECTRONICS', 'US', '5732'],
	'insufficient_funds',
);

export const SCENARIOS: [Scenario, ...Scenario[]] = [
	PURCHASE,
	DECLINE,
	scenario(
		'Decline abroad',
		['980.00', 'USD'],
		['ELEKTRONIK OUTLET', 'RO', '5732'],
		'suspected_fraud',
	),
	scenario('Foreign', ['189.90', 'EUR'], ['LIBRAIRIE DU QUAI', 'FR', '5942']),
	scenario('Large', ['18500.00', 'USD'], ['NIMBUS CLOUD SERVICES', 'US', '7372']),
];
