import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';

/** n8n stores the state with each execution. Enough for 10 000 cards with 40 events each. */
export const MAX_STATE_LENGTH = 4_200_000;

/** Names the node, and what it polls. A state with another name belongs to something else. */
export interface StateName {
	/** n8n stores the state under the name of the node, which another node can get. */
	nodeId: string;
	baseUrl: string;
	/** What else decides what is in the state; undefined for card events. */
	watched?: string;
}

/**
 * Reads what n8n has stored of the last poll, or begins anew.
 *
 * @returns the state; whether it is new
 * @throws UserError if this version did not write what is stored
 */
export function openState<State>(
	stored: unknown,
	schema: z.ZodType<State, z.ZodTypeDef, unknown>,
	own: StateName,
	begin: () => State,
): { state: State; isNew: boolean } {
	if (stored === undefined || stored === null || !isNamed(stored, own))
		return { state: begin(), isNew: true };
	const parsed = schema.safeParse(stored);
	if (parsed.success) return { state: parsed.data, isNew: false };
	throw new UserError(
		'What the trigger has stored cannot be read',
		'Another version of this node may have stored it. Install that version again, or replace the trigger with a new one, and get what has happened since with Card Event: Get Many.',
	);
}

function isNamed(stored: unknown, own: StateName): boolean {
	const {
		nodeId = own.nodeId,
		baseUrl = own.baseUrl,
		watched,
	} = isDataObject(stored) ? stored : {};
	return nodeId === own.nodeId && baseUrl === own.baseUrl && watched === own.watched;
}

/**
 * Refuses what is too long for n8n to store with each execution.
 *
 * @param what it tracks, in the plural
 * @throws UserError
 */
export function checkLength(tracked: object, what: string, hint: string): void {
	const { length } = JSON.stringify(tracked);
	if (length <= MAX_STATE_LENGTH) return;
	throw new UserError(
		`Too many ${what} to track: ${length} characters, of at most ${MAX_STATE_LENGTH}`,
		hint,
	);
}

/** The error for a list without any known record: with a key for another account, all of them would be new. */
export const otherAccount = (what: string): UserError =>
	new UserError(
		`The API no longer shows the ${what} that the trigger knows`,
		'The API key is probably one for another account. Correct it in the Card Platform API credential. To poll the other account, replace the trigger with a new one.',
	);

/** Whether so many milliseconds have passed. Since a time ahead they have, too: the clock was corrected. */
export const hasPassed = (ms: number, since: number, now: number): boolean =>
	Math.abs(now - since) >= ms;

/** Eight characters, 48 bits: two of 2 000 are the same once in 10⁸ times. */
export const hash = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Splits joined hashes. */
export const toSet = (hashes: string): Set<string> => new Set(hashes.match(/.{8}/g) ?? []);
