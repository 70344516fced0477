import { type Context, Hono } from 'hono';
import { z } from 'zod/v4';

import { badRequest, forbidden, notFound } from '../http/errors.ts';
import { nameSchema } from '../http/name.ts';
import { readBody } from '../http/readBody.ts';
import type { ApiEnv } from '../keys/caller.ts';
import { positiveAmountSchema } from '../money.ts';
import type { Services } from '../services.ts';
import { type Account, findAccount, listAccounts } from './account.ts';
import { transfer, transferDetails } from './transfer.ts';

export const renameBody = z.object({ name: nameSchema });

export const transferBody = z.object({
	amount: positiveAmountSchema,
	toAccountId: z.number().int(),
});

const idempotencyKey = z.string().min(1).max(255).optional();

export function accountRoutes(services: Services): Hono<ApiEnv> {
	const { db } = services;
	const routes = new Hono<ApiEnv>();

	routes.patch('/:accountId', async (c) => {
		const { id } = requestedAccount(c, services);
		const { name } = await readBody(c, renameBody);
		db.update('accounts', id, { name });
		return c.json({ id, name });
	});

	routes.post('/:accountId/transfers', async (c) => {
		const { id } = requestedAccount(c, services);
		const request = { ...(await readBody(c, transferBody)), fromAccountId: id };
		const key = idempotencyKey.safeParse(c.req.header('idempotency-key'));
		if (!key.success) throw badRequest('Idempotency-Key: expected 1 to 255 characters');
		return c.json(transferDetails(transfer(services, request, key.data)), 201);
	});

	return routes;
}

/**
 * Gives the account of the path. Throws, in this order: 403 for an account-scoped key (§5.4) and
 * while account management is enabled for no account (§5.5), 400 for an id that is no integer,
 * 404 for an unknown account, 403 for one without account management.
 */
function requestedAccount(c: Context<ApiEnv>, { db }: Services): Account {
	if (c.var.caller.scope === 'account') {
		throw forbidden('Access to the resource is not provided to an account-scoped API key');
	}
	if (!listAccounts(db).some(({ features }) => features.accountManagement)) throw forbidden();
	const id = c.req.param('accountId') ?? '';
	if (!/^\d{1,15}$/.test(id)) throw badRequest('account-id: expected a whole number');
	const account = findAccount(db, Number(id));
	if (!account) throw notFound();
	if (!account.features.accountManagement) throw forbidden();
	return account;
}
