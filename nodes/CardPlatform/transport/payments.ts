import type { z } from 'zod';

import type { ApiConfig } from '../api/config';
import { addDays, type CalendarDate, splitIntoYears } from '../api/dates';
import { dueIn } from '../api/recordFilter';
import { paymentSchema } from '../api/schemas';
import { UserError } from '../api/userError';
import { toAccountId } from '../api/values';
import type { Api } from './client';

/** Finds the account whose payments to list; a customer-scoped key must name one (§4.9, §5.4). */
export function paymentAccount({ keyScope, accountId }: ApiConfig): number | undefined {
	if (keyScope === 'account') return undefined;
	if (accountId !== undefined) return toAccountId(accountId, 'Default Account ID');
	throw new UserError(
		'Choose the account whose payments to list',
		'A customer-scoped key covers several accounts. Set Default Account ID in the Card Platform API credential. Payment: Get Many has an Account ID under Options, too.',
	);
}

/** Lists the payments that are due in a range, both days included, each once: year by year (§4.9), up to a limit. */
export async function listPayments(
	api: Pick<Api, 'listUnpaginated'>,
	{ from, to }: { from: CalendarDate; to: CalendarDate },
	accountId: number | undefined,
	{ custom, limit = Infinity }: { custom?: Record<string, string>; limit?: number } = {},
): Promise<z.infer<typeof paymentSchema>[]> {
	const filters = [dueIn({ from, to })];
	let payments: z.infer<typeof paymentSchema>[] = [];
	for (const year of splitIntoYears(addDays(from, -1), addDays(to, 1))) {
		if (payments.length >= limit) break;
		const query = { query: { accountId }, filters, custom: { ...year, ...custom } };
		const known = new Set(payments.map(({ id }) => id));
		const listed = await api.listUnpaginated('/payments', query, paymentSchema);
		// Two years share a day. In one list, an ID that comes twice is no repeat.
		payments = payments.concat(listed.filter(({ id }) => !known.has(id)));
	}
	return payments;
}
