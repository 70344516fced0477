import { z } from 'zod/v4';

import { MAX_WHOLE_DIGITS } from './assumptions.ts';

const DECIMAL = new RegExp(`^(0|[1-9]\\d{0,${MAX_WHOLE_DIGITS - 1}})(\\.\\d{1,2})?$`);

/** Takes whole minor units (1250, or -5 for an overdrawn balance) and gives "12.50", "-0.05" (§2). */
export function formatAmount(minorUnits: number): string {
	const digits = String(Math.abs(minorUnits)).padStart(3, '0');
	return `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Parses a decimal string as the API writes amounts (§2: "12.50") to whole minor units (1250). */
export const amountSchema = z
	.string()
	.regex(DECIMAL, 'expected an amount with at most 2 decimals, such as "12.50"')
	.transform((text) => {
		const [whole = '', fraction = ''] = text.split('.');
		return Number(whole + fraction.padEnd(2, '0'));
	});

export const currencySchema = z
	.string()
	.regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code such as "USD"')
	.default('USD');

/** Parses a decimal string above zero in a request body to minor units. */
export const positiveAmountSchema = amountSchema.refine(
	(amount) => amount > 0,
	'expected an amount greater than zero',
);
