import { SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import type { EventKind, FinancialEvent, Merchant } from '../events/financialEvent.ts';

/** Reasons for which the card network declines. */
export const DECLINE_REASONS = [
	'insufficient_funds',
	'suspected_fraud',
	'do_not_honor',
	'incorrect_security_code',
	'expired_card',
	'merchant_not_allowed',
] as const;

/** A purchase that dashboard and command line offer to simulate. */
export interface Scenario {
	name: string;
	label: string;
	/** A decimal string (§2). */
	amount: string;
	currency: string;
	/** Why the network declines it, if it does; the platform may decline any of them. */
	reason: (typeof DECLINE_REASONS)[number] | undefined;
	merchant: Merchant & { merchantName: string; mcc: string; category: string };
}

const scenario = (
	label: string,
	[amount, currency]: [string, string],
	[merchantName, merchantCity, merchantState, merchantCountry]: string[],
	[mcc, category]: [string, string],
	reason?: Scenario['reason'],
): Scenario => ({
	...{ name: label.toLowerCase().replace(' ', '-'), label, amount, currency, reason },
	merchant: {
		...{ merchantName: merchantName ?? '', merchantCity, merchantCountry, mcc, category },
		...(merchantState && { merchantState }),
	},
});

const PAPER = ['PAPERWORKS SUPPLY CO', 'Columbus', 'OH', 'US'];
const ELECTRONICS = ['VOLTBARN ELECTRONICS', 'Austin', 'TX', 'US'];
const OUTLET = ['ELEKTRONIK OUTLET', 'Bucharest', '', 'RO'];
const BOOKS = ['LIBRAIRIE DU QUAI', 'Paris', '', 'FR'];
const CLOUD = ['NIMBUS CLOUD SERVICES', 'Seattle', 'WA', 'US'];

/** The usual purchase. */
export const PURCHASE = scenario('Purchase', ['42.50', 'USD'], PAPER, [
	'5943',
	'office_supplies_and_cleaning',
]);

/** The usual decline. */
export const DECLINE = scenario(
	'Decline',
	['649.00', 'USD'],
	ELECTRONICS,
	['5732', 'electronics'],
	'insufficient_funds',
);

/** What is offered to pay for. */
export const SCENARIOS: [Scenario, ...Scenario[]] = [
	PURCHASE,
	DECLINE,
	scenario('Decline abroad', ['980.00', 'USD'], OUTLET, ['5732', 'electronics'], 'suspected_fraud'),
	scenario('Foreign', ['189.90', 'EUR'], BOOKS, ['5942', 'books_and_newspapers']),
	scenario('Large', ['18500.00', 'USD'], CLOUD, ['7372', 'cloud_computing']),
];

/** A decline by the network that names only its reason. */
export const networkIssue = (reason: string) => ({ ...SIMULATED_ISSUE_DEFAULTS, reason });

/** The event of a kind, of a transaction that does not exist. */
export function sampleEvent(
	kind: EventKind,
	ids: Pick<FinancialEvent, 'id' | 'transactionId' | 'cardId'>,
	at: Date,
): FinancialEvent {
	return {
		...ids,
		amount: PURCHASE.amount,
		amountDirection: kind === 'refunded' || kind === 'reversed' ? 'credit' : 'debit',
		currency: 'USD',
		isReversal: kind === 'reversed',
		isSuccess: kind !== 'declined',
		createdAt: at.toISOString(),
		issues: kind === 'declined' ? [networkIssue('insufficient_funds')] : [],
		...PURCHASE.merchant,
	};
}
