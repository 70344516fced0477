import { DateTime } from 'luxon';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { transactionSchema } from '../api/schemas';
import { toNodeError } from '../toNodeError';
import { Api, createLimiter } from '../transport/client';

/** Transactions among which the picker searches: at most ten requests each time the list opens. */
const MAX_TRANSACTIONS = 1_000;

/** Fills the transaction picker: of the first {@link MAX_TRANSACTIONS} that the API lists, the newest first. */
export async function searchTransactions(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	try {
		const config = readApiConfig(await this.getCredentials('cardPlatformApi'));
		const api = new Api(this, config, 'read', createLimiter(this, config, 'formOrPoll'));
		const expected = { schema: transactionSchema, name: 'a list of transactions' };
		const transactions = await api.list('/transactions', {}, MAX_TRANSACTIONS, expected);
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
		return { results: results.map(({ name, value }) => ({ name, value })) };
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}
