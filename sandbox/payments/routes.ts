import type { Handler } from 'hono';
import { z } from 'zod/v4';

import type { Account, Caller } from '../accounts/account.ts';
import { badRequest } from '../http/errors.ts';
import { readQuery } from '../http/query.ts';
import { accountsOf, type ApiEnv } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { listPayments, paymentDetails } from './payment.ts';

const date = z.iso.date({ error: 'expected YYYY-MM-DD', abort: true });

const listParameters = z
	.object({
		from: date,
		to: date,
		accountId: z
			.string()
			.regex(/^\d{1,15}$/, 'expected a whole number')
			.transform(Number)
			.optional(),
	})
	.refine(({ from, to }) => from <= to, 'from must not be after to')
	.refine(({ from, to }) => isWithinOneYear(from, to), 'from and to are more than 1 year apart');

/** GET /payments (§4.9, §8): payments due from one date to another, both included. */
export const readPayments =
	({ db, now }: Services): Handler<ApiEnv> =>
	(c) => {
		const { accountId, ...range } = readQuery(c, listParameters);
		const account = chooseAccount(accountsOf(db, c.var.caller), c.var.caller, accountId);
		return c.json({ data: listPayments(db, account.id, range, now()).map(paymentDetails) });
	};

/** §4.9: a customer-scoped key must name the account; otherwise it must match the key's. */
function chooseAccount(visible: Account[], caller: Caller, accountId: number | undefined): Account {
	if (caller.scope === 'customer' && accountId === undefined) {
		throw badRequest('accountId: required with a customer-scoped key');
	}
	const account = visible.find(({ id }) => id === (accountId ?? id));
	if (!account) throw badRequest('accountId: no account of this API key');
	return account;
}

/** Month and day compare as text: a year after 29 February ends on 28 February. */
function isWithinOneYear(from: string, to: string): boolean {
	const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
	return years < 1 || (years === 1 && to.slice(4) <= from.slice(4));
}
