import type { Outcome } from './dayOfPurchases.ts';

/** A change to what one of the two lists says of a transaction, and what it makes the lists disagree on. */
export interface Contradiction {
	title: string;
	list: 'transactions' | 'events';
	/** The transaction that is meant. */
	of: Outcome;
	/** New values of the record, or of each of the events; without any, it is left out. */
	values?: object;
	found: { difference: string; transactionSays?: string; eventsSay?: string };
}

/** Every kind of difference that the daily reconciliation has to find. */
export const contradictions: Contradiction[] = [
	{
		title: 'a transaction without events',
		list: 'events',
		of: 'settled',
		found: {
			difference: 'no event',
			transactionSays: '80.00 USD debit, settled',
			eventsSay: '',
		},
	},
	{
		title: 'events without a transaction',
		list: 'transactions',
		of: 'pending',
		found: { difference: 'no transaction', transactionSays: '', eventsSay: '12.50 USD debit' },
	},
	{
		title: 'events without a transaction, on a card that has nothing else',
		list: 'transactions',
		of: 'alone',
		found: { difference: 'no transaction', eventsSay: '5.00 USD debit' },
	},
	{
		title: 'another pending amount',
		list: 'transactions',
		of: 'pending',
		values: { amount: '12.51' },
		found: { difference: 'amount', transactionSays: '12.51', eventsSay: '12.50' },
	},
	{
		title: 'a pending amount that a reversal is missing from',
		list: 'transactions',
		of: 'partlyReversed',
		values: { amount: '30.00' },
		found: { difference: 'amount', transactionSays: '30.00', eventsSay: '20.00' },
	},
	{
		title: 'another settled amount',
		list: 'transactions',
		of: 'inParts',
		values: { amount: '0.61' },
		found: { difference: 'amount', transactionSays: '0.61', eventsSay: '0.60' },
	},
	{
		title: 'an amount that differs far behind the point',
		list: 'transactions',
		of: 'settled',
		values: { amount: '80.000000000001' },
		found: { difference: 'amount', transactionSays: '80.000000000001', eventsSay: '80.00' },
	},
	{
		title: 'a released amount that is not zero',
		list: 'transactions',
		of: 'released',
		values: { amount: '1.00' },
		found: { difference: 'amount', transactionSays: '1.00', eventsSay: '0.00' },
	},
	{
		title: 'another declined amount',
		list: 'events',
		of: 'declined',
		values: { amount: '54.00' },
		found: { difference: 'amount', transactionSays: '45.00', eventsSay: '54.00' },
	},
	{
		title: 'another refunded amount',
		list: 'transactions',
		of: 'refund',
		values: { amount: '41.00' },
		found: { difference: 'amount', transactionSays: '41.00', eventsSay: '40.00' },
	},
	{
		title: 'an amount that is none',
		list: 'transactions',
		of: 'settled',
		values: { amount: 'eighty' },
		found: { difference: 'amount', transactionSays: 'eighty', eventsSay: '80.00' },
	},
	{
		title: 'another currency',
		list: 'events',
		of: 'settled',
		values: { currency: 'EUR' },
		found: { difference: 'currency', transactionSays: 'USD', eventsSay: 'EUR' },
	},
	{
		title: 'another direction',
		list: 'events',
		of: 'refund',
		values: { amountDirection: 'debit' },
		found: { difference: 'direction', transactionSays: 'credit', eventsSay: 'debit' },
	},
	{
		title: 'another card',
		list: 'events',
		of: 'alone',
		values: { cardId: '00000000-0000-4000-8000-000000000000' },
		found: { difference: 'card', eventsSay: '00000000-0000-4000-8000-000000000000' },
	},
	{
		title: 'a declined transaction whose event says approved',
		list: 'events',
		of: 'declined',
		values: { isSuccess: true },
		found: { difference: 'status', transactionSays: 'declined', eventsSay: 'approved' },
	},
	{
		title: 'a pending transaction whose event says declined',
		list: 'events',
		of: 'pending',
		values: { isSuccess: false },
		found: { difference: 'status', transactionSays: 'pending', eventsSay: 'declined' },
	},
];
