import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { formatAmount } from '../money.ts';

const creditRow = z.object({
	overall: z.number(),
	/** What is authorized and not cleared yet. */
	held: z.number(),
	/** What was cleared and is in a payment that is still to come. */
	owed: z.number(),
});

/** The credit of one or several accounts together; all in minor units. */
type Credit = z.infer<typeof creditRow>;

const spendRow = z.object({ last24Hours: z.number(), last30Days: z.number() });

/** What was spent in the time before now (§2 Balance), in minor units. */
type Spend = z.infer<typeof spendRow>;

const DAY = 24 * 60 * 60 * 1000;

/** Gives the part of a credit limit that can still be spent, in minor units (§2 Balance). */
export const availableCredit = ({ overall, held, owed }: Credit): number => overall - held - owed;

/** Gives the credit of some accounts together (§2 Balance). */
export function creditOf(db: Database, accountIds: number[], now: Date): Credit {
	const credit = db.get(
		creditRow,
		`with ids as (select value as accountId from json_each(:accountIds))
		select
			(select coalesce(sum(creditLimit), 0) from accounts where id in ids) as overall,
			(select coalesce(sum(amount - clearedAmount), 0) from transactions
				where status = 'pending' and accountId in ids) as held,
			(select coalesce(sum(amount), 0) from payments
				where status = 'scheduled' and dueDate > :today and accountId in ids) as owed`,
		{ accountIds: JSON.stringify(accountIds), today: now.toISOString().slice(0, 10) },
	);
	return credit ?? { overall: 0, held: 0, owed: 0 };
}

/**
 * Gives what some accounts spent together: purchases that are pending or settled, by their time;
 * refunds are not taken off (assumption, §2 Balance).
 */
export function spendOf(db: Database, accountIds: number[], now: Date): Spend {
	const since = (time: number) => new Date(now.getTime() - time).toISOString();
	const spend = db.get(
		spendRow,
		`select
			coalesce(sum(case when createdAt >= :dayAgo then amount end), 0) as last24Hours,
			coalesce(sum(amount), 0) as last30Days
		from transactions
		where createdAt between :monthAgo and :now and amountDirection = 'debit'
			and status in ('pending', 'settled')
			and accountId in (select value from json_each(:accountIds))`,
		{
			accountIds: JSON.stringify(accountIds),
			now: since(0),
			dayAgo: since(DAY),
			monthAgo: since(30 * DAY),
		},
	);
	return spend ?? { last24Hours: 0, last30Days: 0 };
}

const dailySpendRow = z.object({ daysAgo: z.number(), amount: z.number() });

/**
 * Gives what all accounts spent in each of the last 30 times 24 hours, in minor units, the last one first: together
 * what {@link spendOf} gives.
 */
export function dailySpend(db: Database, now: Date): number[] {
	const rows = db.all(
		dailySpendRow,
		`select cast((:now - round(unixepoch(createdAt, 'subsec') * 1000) - 1) / :day as integer) as daysAgo,
				sum(amount) as amount
			from transactions
			where createdAt between :monthAgo and :until and amountDirection = 'debit'
				and status in ('pending', 'settled')
			group by daysAgo`,
		{
			now: now.getTime(),
			day: DAY,
			monthAgo: new Date(now.getTime() - 30 * DAY).toISOString(),
			until: now.toISOString(),
		},
	);
	const amounts = new Map(rows.map(({ daysAgo, amount }) => [daysAgo, amount]));
	return Array.from({ length: 30 }, (_, daysAgo) => amounts.get(daysAgo) ?? 0);
}

/** Credit limit and spend (§2 Balance). */
export const balanceDetails = (credit: Credit, spend: Spend) => ({
	availableCreditLimit: formatAmount(availableCredit(credit)),
	overallCreditLimit: formatAmount(credit.overall),
	last24HoursSpend: formatAmount(spend.last24Hours),
	last30DaysSpend: formatAmount(spend.last30Days),
});
