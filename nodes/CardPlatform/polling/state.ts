import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { UserError } from '../api/userError';
import { isDataObject } from '../api/values';

/** n8n stores the state with each execution. Enough for 10 000 cards with 40 events each. */
export const MAX_STATE_LENGTH = 4_200_000;

/** Names the node, and what it polls. A state with another name belongs to something else. */
export interface StateName {
	/** Of the format. */
	version: number;
	/** n8n stores the state under the name of the node, which another node can get. */
	nodeId: string;
	baseUrl: string;
	/** What else decides what is in the state; undefined for card events. */
	watched?: string;
}

/** What a trigger remembers when a poll begins. */
export interface OpenedState<State> {
	state: State;
	/** Whether there was nothing to go on from. */
	isNew: boolean;
	/** Whether there was something: of other settings, or of an earlier version of this node. */
	startsOver: boolean;
	/** Set: what was stored cannot be read, so what happened since then is not found. */
	loss?: UserError;
}

/**
 * Reads what n8n has stored of the last poll. Starts over where that is of something else, or cannot be read.
 *
 * @throws UserError if a newer version of this node has stored it: then it stays as it is
 */
export function openState<State>(
	stored: unknown,
	schema: z.ZodType<State, z.ZodTypeDef, unknown>,
	own: StateName,
	begin: () => State,
): OpenedState<State> {
	const isStored = stored !== undefined && stored !== null;
	if (!isStored || !isNamed(stored, own))
		return { state: begin(), isNew: true, startsOver: isStored };
	if (isDataObject(stored) && Number(stored.version) > own.version) throw newerVersion();
	const parsed = schema.safeParse(stored);
	if (parsed.success) return { state: parsed.data, isNew: false, startsOver: false };
	return { state: begin(), isNew: true, startsOver: true, loss: unreadableState() };
}

const newerVersion = (): UserError =>
	new UserError(
		'A newer version of this node has saved the trigger’s memory',
		'Install that version again. Or replace the trigger with a new one, and get what it missed with Card Event: Get Many.',
	);

const unreadableState = (): UserError =>
	new UserError(
		'The trigger starts over, because its saved memory cannot be read',
		'An earlier version of this node has probably saved it. What happened since its last poll starts nothing. To get card events, use Card Event: Get Many.',
	);

/** Says from when on a trigger that starts over watches. */
export const startsOverHint = (what: string, now: number): string =>
	`Watching ${what} since ${new Date(now).toISOString()}. Nothing from before starts the workflow.`;

function isNamed(stored: unknown, own: StateName): boolean {
	const {
		nodeId = own.nodeId,
		baseUrl = own.baseUrl,
		watched,
	} = isDataObject(stored) ? stored : {};
	return nodeId === own.nodeId && baseUrl === own.baseUrl && watched === own.watched;
}

/** Refuses what is too long for n8n to store with each execution; `what` is in the plural. */
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
		`The API shows none of the ${what} that the trigger has seen`,
		'The API key is probably for another account. Enter the right one in the Card Platform API credential. To poll the other account, replace the trigger with a new one.',
	);

/** Whether so many milliseconds have passed. Since a time ahead they have, too: the clock was corrected. */
export const hasPassed = (ms: number, since: number, now: number): boolean =>
	Math.abs(now - since) >= ms;

/** Eight characters, 48 bits: two of 2 000 are the same once in 10⁸ times. */
export const hash = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Splits joined hashes. */
export const toSet = (hashes: string): Set<string> => new Set(hashes.match(/.{8}/g) ?? []);
