import { z } from 'zod';

const sqliteError = z.object({ errcode: z.number(), message: z.string() });

/** What SQLite's primary result codes mean to the person who runs the sandbox. */
const REASONS: Record<number, string> = {
	5: 'another process is using it',
	6: 'another process is using it',
	8: 'it is read-only',
	10: 'the disk could not be read or written',
	11: 'it is damaged',
	13: 'the disk is full',
	14: 'it cannot be opened',
	26: 'it is not a database',
};

/**
 * Explains a failure of the database itself (disk full, damaged file) in words that complete "the database
 * cannot be used: …"; gives undefined for any other error.
 */
function explainFailure(error: unknown): string | undefined {
	const { success, data } = sqliteError.safeParse(error);
	if (!success) return undefined;
	// An extended code has the primary one in its lowest byte.
	const reason = REASONS[data.errcode & 0xff];
	return reason && `${reason} (${data.message})`;
}

/** Gives the reason for a failure: of the database in our words, of anything else as it says itself. */
export const reasonOf = (error: unknown): string =>
	explainFailure(error) ?? (error instanceof Error ? error.message : String(error));

/** The message of a response to a request that failed for a reason inside the sandbox. */
export function failureMessage(error: Error): string {
	const reason = explainFailure(error);
	return reason === undefined
		? `The sandbox failed: ${error.message}`
		: `The sandbox cannot use its database: ${reason}`;
}
