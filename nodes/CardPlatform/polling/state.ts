import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';

/** n8n stores the state with each execution. Enough for 10 000 cards with 40 events each. */
const MAX_LENGTH = 4_200_000;

/**
 * Reads what n8n has stored of the last poll.
 *
 * @param identity names the node and what it polls; a state with other values belongs to something else
 * @returns undefined if there is no such state
 * @throws UserError if this version did not write it
 */
export function readState<State>(
	stored: unknown,
	schema: z.ZodType<State, z.ZodTypeDef, unknown>,
	identity: Record<string, string | undefined>,
): State | undefined {
	if (stored === undefined || stored === null) return undefined;
	const fields = isDataObject(stored) ? stored : {};
	const isOwn = Object.entries(identity).every(([name, own]) => (fields[name] ?? own) === own);
	if (!isOwn) return undefined;
	const parsed = schema.safeParse(stored);
	if (parsed.success) return parsed.data;
	throw new UserError(
		'What the trigger has stored cannot be read',
		'Another version of this node may have stored it. Install that version again, or replace the trigger with a new one, and get what has happened since with Card Event: Get Many.',
	);
}

/**
 * Refuses what is too long for n8n to store with each execution.
 *
 * @param what it tracks, in the plural
 * @throws UserError
 */
export function checkLength(tracked: object, what: string, hint: string): void {
	const { length } = JSON.stringify(tracked);
	if (length <= MAX_LENGTH) return;
	throw new UserError(
		`Too many ${what} to track: ${length} characters, of at most ${MAX_LENGTH}`,
		hint,
	);
}

/** The error for a list without any known record: with a key for another account, all of them would be new. */
export const otherAccount = (what: string): UserError =>
	new UserError(
		`The API no longer shows the ${what} that the trigger knows`,
		'The API key is probably one for another account. Correct it in the Card Platform API credential. To poll the other account, replace the trigger with a new one.',
	);

/** Eight characters, 48 bits: two of 2 000 are the same once in 10⁸ times. */
export const hash = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Splits joined hashes. */
export const toSet = (hashes: string): Set<string> => new Set(hashes.match(/.{8}/g) ?? []);
