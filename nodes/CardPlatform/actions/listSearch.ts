import { DateTime } from 'luxon';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { z } from 'zod';

import { readApiConfig } from '../api/config';
import { timeOf } from '../api/event';
import { type Card, cardSchema, transactionSchema } from '../api/schemas';
import { toNodeError } from '../api/toNodeError';
import { Api, createLimiter } from '../transport/client';
import { MAX_PICKED_RECORDS } from './pickers';

/** Fills a picker from the first {@link MAX_PICKED_RECORDS} records that the API lists. */
async function fillPicker<T>(
	context: ILoadOptionsFunctions,
	path: '/cards' | '/transactions',
	schema: z.ZodType<T>,
	toResults: (records: T[]) => INodeListSearchResult['results'],
): Promise<INodeListSearchResult> {
	try {
		const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
		const api = new Api(context, config, 'read', createLimiter(context, config, 'watched'));
		return { results: toResults(await api.list(path, {}, MAX_PICKED_RECORDS, schema)) };
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

const nameOf = ({ id, name }: Card) => name ?? id;

const byName = (a: Card, b: Card) =>
	nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }) ||
	(a.lastFour ?? '').localeCompare(b.lastFour ?? '');

/** The editor shows only the name of an entry, and keeps the one of when it was chosen. */
const labelOf = (card: Card) =>
	[
		nameOf(card),
		card.lastFour && `•••• ${card.lastFour}`,
		(card.status === 'frozen' || card.status === 'archived') && `(${card.status})`,
	]
		.filter(Boolean)
		.join(' ');

/** Whether a search finds what an entry shows. */
const isFound = ({ name }: INodePropertyOptions, search: string): boolean =>
	name.toLowerCase().includes(search.trim().toLowerCase());

/** Fills the card picker, by name. For Freeze and Unfreeze, without archived cards (§3). */
export async function searchCards(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	return await fillPicker(this, '/cards', cardSchema, (cards) => {
		const operation = this.getCurrentNodeParameter('operation');
		const offered =
			operation === 'freeze' || operation === 'unfreeze'
				? cards.filter(({ status }) => status !== 'archived')
				: cards;
		const entries = offered.sort(byName).map((card) => ({ name: labelOf(card), value: card.id }));
		return entries.filter((entry) => isFound(entry, search));
	});
}

/** Fills a list from which several cards can be chosen. */
export async function getCards(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return (await searchCards.call(this)).results;
}

/** Fills the transaction picker, the newest first. */
export async function searchTransactions(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	return await fillPicker(this, '/transactions', transactionSchema, (transactions) => {
		const zone = this.getTimezone();
		const rank = (transaction: object) => timeOf(transaction) || 0;
		return transactions
			.sort((a, b) => rank(b) - rank(a))
			.map(({ id, merchantName, amount, amountDirection, currency, status, createdAt }) => {
				const time = DateTime.fromMillis(timeOf({ createdAt }), { zone });
				const sign = amountDirection === 'debit' ? '−' : '+';
				const isThisYear = time.year === DateTime.now().setZone(zone).year;
				const parts = [
					merchantName ?? 'Unknown merchant',
					amount && `${sign}${amount} ${currency ?? ''}`.trim(),
					time.isValid && time.setLocale('en').toFormat(isThisYear ? 'd LLL' : 'd LLL yyyy'),
					status === 'declined' && status,
				];
				return { name: parts.filter(Boolean).join(' · '), value: id };
			})
			.filter((entry) => isFound(entry, search));
	});
}
