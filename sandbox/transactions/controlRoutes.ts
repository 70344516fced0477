import { Hono } from 'hono';

import { allAccountIds } from '../accounts/account.ts';
import { findCard } from '../cards/card.ts';
import type { ControlEnv } from '../http/guard.ts';
import { query } from '../http/input.ts';
import { pageParameters } from '../http/query.ts';
import { formatAmount } from '../money.ts';
import type { Services } from '../services.ts';
import {
	listTransactions,
	stepAmounts,
	transactionDetails,
	transactionStatusSchema,
} from './transaction.ts';

const listParameters = pageParameters.extend({ status: transactionStatusSchema.optional() });

/**
 * The transactions of all accounts without an API key, each with the card as people know it, what
 * of its amount is still held, and what of it can be refunded.
 */
export function transactionRoutes({ db, countBudget }: Services) {
	return new Hono<ControlEnv>().get('/', query(listParameters), (c) => {
		const accountIds = allAccountIds(db);
		const filters = c.req.valid('query');
		const page = listTransactions(db, accountIds, filters, filters, countBudget);
		const data = page.data.map((transaction) => {
			const card = findCard(db, transaction.cardId);
			if (!card) throw new Error(`transaction ${transaction.id} has no card`);
			const { held, refundable } = stepAmounts(transaction);
			return {
				...transactionDetails(transaction),
				held: formatAmount(held),
				refundable: formatAmount(refundable),
				card: { name: card.name, lastFour: card.lastFour, accountId: card.accountId },
			};
		});
		return c.json({ ...page, data });
	});
}
