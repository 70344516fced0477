import { DateTime } from 'luxon';
import { z } from 'zod';

import { record } from './schemas';

const issueFields = { origin: z.string(), reason: z.string(), severity: z.string() };

/**
 * A card financial event (§2 CardFinancialEvent), as a webhook delivers it (§6) and as GET
 * /cards/{card-id}/financial-events lists it (§4.6). Which fields are required is undocumented, so
 * each may be absent or null; unknown ones pass through. The amount is a decimal string.
 */
export const eventSchema = record('an event', {
	id: z.string().nullish(),
	transactionId: z.string().nullish(),
	cardId: z.string().nullish(),
	amount: z.string().nullish(),
	amountDirection: z.string().nullish(),
	currency: z.string().nullish(),
	category: z.string().nullish(),
	isReversal: z.boolean().nullish(),
	isSuccess: z.boolean().nullish(),
	createdAt: z.string().nullish(),
	issues: z.array(record('an issue', issueFields).partial()).nullish(),
	mcc: z.string().nullish(),
	merchantName: z.string().nullish(),
	merchantCity: z.string().nullish(),
	merchantState: z.string().nullish(),
	merchantCountry: z.string().nullish(),
	merchantPostalCode: z.string().nullish(),
	merchantStreetAddress: z.string().nullish(),
	merchantTaxId: z.string().nullish(),
});

/** A card financial event (§2). */
export type CardFinancialEvent = z.infer<typeof eventSchema>;

/** The usual form, which is read faster. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * When an event or its transaction was created (§2), in milliseconds since 1970; NaN without a time in a form of ISO
 * 8601. Without a zone it is in UTC.
 */
export function timeOf({ createdAt }: { createdAt?: unknown }): number {
	if (typeof createdAt !== 'string') return Number.NaN;
	const text = createdAt.trim();
	if (ISO.test(text)) return Date.parse(text);
	// luxon reads a time alone as one of today.
	if (!/^\d{4}/.test(text)) return Number.NaN;
	return DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toMillis();
}
