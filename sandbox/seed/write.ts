import { findAccount, insertAccount } from '../accounts/account.ts';
import { PLATFORM_ISSUES, SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import { insertCard, isNameTaken } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import { type EventStep, type FinancialEvent, insertEvent } from '../events/financialEvent.ts';
import { badRequest } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import { dateAfter, insertPayment } from '../payments/payment.ts';
import { insertSettlement } from '../settlements/settlement.ts';
import { insertTransaction, type Transaction } from '../transactions/transaction.ts';
import type { SeedData, SeedTransaction } from './data.ts';

const HOUR = 60 * 60 * 1000;

/** Hours after which a seeded transaction was cleared. */
const CLEARING_HOURS = 24;

/** The uuid of the `number`-th seeded thing of a kind, which its prefix stands for: the same in every sandbox. */
const seedId = (prefix: string, number: number): string =>
	`${prefix}0000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The RFC 3339 time that lies some hours before `now`. */
const hoursBefore = (now: Date, hours: number): string =>
	new Date(now.getTime() - hours * HOUR).toISOString();

/**
 * Writes a seed into an empty database; dates are counted back from `now`. Throws a 400 that names what does not
 * fit together. Call it inside a transaction.
 */
export function writeSeed(db: Database, data: SeedData, now: Date): void {
	const { accounts, cards, merchants, payments } = data;
	const features = { cardManagement: true, accountManagement: true, webhooks: true };
	for (const [index, { creditLimit, ...account }] of accounts.entries()) {
		if (findAccount(db, account.id)) {
			throw badRequest(`accounts.${index}.id: already used by another account`);
		}
		insertAccount(db, { ...account, features }, creditLimit);
	}
	const accountOf = (id = accounts[0]?.id ?? 0, place = '') => {
		const found = accounts.find((account) => account.id === id);
		if (!found) throw badRequest(`${place}.accountId: no account of the seed has the ID ${id}`);
		return found;
	};
	const written = cards.map(({ days, accountId, ...card }, index) => {
		const { id: owner } = accountOf(accountId, `cards.${index}`);
		const id = seedId('ca4d', index + 1);
		if (card.status !== 'archived' && isNameTaken(db, card.name)) {
			throw badRequest(`cards.${index}.name: already used by another card`);
		}
		insertCard(db, { ...card, id, accountId: owner, createdAt: hoursBefore(now, 24 * days) });
		return { id, accountId: owner, name: card.name };
	});
	let events = 0;
	for (const [index, transaction] of data.transactions.entries()) {
		const place = `transactions.${index}`;
		const card =
			typeof transaction.card === 'number'
				? written[transaction.card - 1]
				: written.find(({ name }) => name === transaction.card);
		if (!card) throw badRequest(`${place}.card: no card of the seed is ${transaction.card}`);
		const merchant = merchants[transaction.merchant];
		if (!merchant) throw badRequest(`${place}.merchant: no merchant is "${transaction.merchant}"`);
		const row = transactionRow(transaction, index + 1, card, now);
		insertTransaction(db, { ...row, merchantName: merchant.merchantName });
		if (row.status === 'settled') {
			const createdAt = hoursBefore(now, Math.max(0, transaction.hoursAgo - CLEARING_HOURS));
			const id = seedId('5e77', index + 1);
			insertSettlement(db, row, { id, amount: row.amount, createdAt });
		}
		for (const { step, ...event } of eventsOf(row, transaction)) {
			const cause = { step, at: event.createdAt };
			insertEvent(db, { id: seedId('e4e7', ++events), ...event, ...merchant }, cause);
		}
	}
	for (const [index, { days, ...payment }] of payments.entries()) {
		const { name } = accountOf(payment.accountId, `payments.${index}`);
		const dueDate = dateAfter(now, days);
		const descriptor = `${name} card balance`;
		insertPayment(db, { ...payment, id: seedId('fa73', index + 1), dueDate, descriptor });
	}
}

/** The row of a transaction; §2: a released one amounts to zero. */
function transactionRow(
	{ amount, currency, hoursAgo, outcome }: SeedTransaction,
	number: number,
	{ id: cardId, accountId }: { id: string; accountId: number },
	now: Date,
): Transaction {
	const status = outcome === 'refund' ? 'settled' : outcome;
	return {
		...{ id: seedId('7a5a', number), cardId, accountId, currency, status },
		amount: status === 'released' ? 0 : amount,
		amountDirection: outcome === 'refund' ? 'credit' : 'debit',
		createdAt: hoursBefore(now, hoursAgo),
		merchantName: undefined,
		authorizedAmount: amount,
		clearedAmount: status === 'settled' ? amount : 0,
		refundedAmount: 0,
	};
}

type SeedEvent = Omit<FinancialEvent, 'id'> & { step: EventStep };

/** The events of a transaction, the first one first. */
function eventsOf(
	{ id, cardId, amountDirection, currency, createdAt }: Transaction,
	{ amount, outcome, reason }: SeedTransaction,
): SeedEvent[] {
	const known = Object.values(PLATFORM_ISSUES).find((platform) => platform.reason === reason);
	const first: SeedEvent = {
		step: outcome === 'refund' ? 'refund' : 'authorization',
		transactionId: id,
		cardId,
		amount: formatAmount(amount),
		amountDirection,
		currency,
		isReversal: false,
		isSuccess: outcome !== 'declined',
		createdAt,
		issues: outcome === 'declined' ? [known ?? { ...SIMULATED_ISSUE_DEFAULTS, reason }] : [],
	};
	if (outcome !== 'released') return [first];
	return [first, { ...first, step: 'release', amountDirection: 'credit', isReversal: true }];
}
