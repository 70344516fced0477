import type { Context } from 'hono';
import { z } from 'zod/v4';

import type { Caller } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { type ApiError, badRequest, forbidden, notFound } from '../http/errors.ts';
import { note } from '../http/unknown.ts';
import { accountsOf, type ApiEnv } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { type Card, findCard } from './card.ts';

/** The ids of the accounts of the caller whose cards may be managed; throws a 403 if none may (§5.5). */
export function cardAccountIds(db: Database, caller: Caller): number[] {
	const enabled = accountsOf(db, caller).filter(({ features }) => features.cardManagement);
	if (enabled.length === 0) throw forbidden();
	return enabled.map(({ id }) => id);
}

/** Says in a header that accounts without card management were passed over, if there are any (§5.5). */
export function warnOfPassedOver(c: Context<ApiEnv>, db: Database, what: string): void {
	const warnings = accountsOf(db, c.var.caller)
		.filter(({ features }) => !features.cardManagement)
		.map(({ id }) => `account ${id} has no card management: ${what}`);
	note(c, 'warnings', warnings);
}

/**
 * Gives the card of the path. Throws, in this order: 403 while card management is enabled for no
 * account of the caller, `malformedId` for an id that is no uuid, 404 for a card that the caller
 * cannot see, 403 for one whose account has no card management (§4.4, §4.5, §5.5).
 */
export function requestedCard(
	c: Context<ApiEnv>,
	{ db }: Services,
	malformedId: ApiError = badRequest('card-id: expected a uuid'),
): Card {
	const { caller } = c.var;
	const enabledIds = cardAccountIds(db, caller);
	const id = z.guid().safeParse(c.req.param('cardId'));
	if (!id.success) throw malformedId;
	const card = findCard(db, id.data.toLowerCase());
	if (!card || !accountsOf(db, caller).some((account) => account.id === card.accountId)) {
		throw notFound();
	}
	if (!enabledIds.includes(card.accountId)) throw forbidden();
	return card;
}

/**
 * Gives the account that a new card belongs to (assumption, §4 POST /cards): the one that is named,
 * or else the caller's first one with card management. Throws a 400 for an account that the caller
 * does not have, a 403 for one without card management (§5.5).
 */
export function newCardAccountId(db: Database, caller: Caller, named: number | undefined): number {
	const enabledIds = cardAccountIds(db, caller);
	const id = named ?? enabledIds[0];
	if (!accountsOf(db, caller).some((account) => account.id === id)) {
		throw badRequest('accountId: no account of this API key');
	}
	if (id === undefined || !enabledIds.includes(id)) throw forbidden();
	return id;
}
