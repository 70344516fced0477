import { DateTime } from 'luxon';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { transactionSchema } from '../api/schemas';
import { fillPicker } from './listSearch';

/** Fills the transaction picker, the newest first. */
export async function searchTransactions(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	const expected = { schema: transactionSchema, name: 'a list of transactions' };
	return await fillPicker(this, '/transactions', expected, (transactions) => {
		const zone = this.getTimezone();
		const results = transactions
			.map(({ id, merchantName, amount, amountDirection, currency, status, createdAt }) => {
				const time = DateTime.fromISO(createdAt ?? '', { zone });
				const sign = amountDirection === 'debit' ? '−' : '+';
				const isThisYear = time.year === DateTime.now().setZone(zone).year;
				const parts = [
					merchantName ?? 'Unknown merchant',
					amount && `${sign}${amount} ${currency ?? ''}`.trim(),
					time.isValid && time.setLocale('en').toFormat(isThisYear ? 'd LLL' : 'd LLL yyyy'),
					status === 'declined' && status,
				];
				return { name: parts.filter(Boolean).join(' · '), value: id, time: time.toMillis() || 0 };
			})
			.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
			.sort((a, b) => b.time - a.time);
		return results.map(({ name, value }) => ({ name, value }));
	});
}
