import { UserError } from '../../nodes/CardPlatform/api/userError';

/** Gives the UserError that some work throws; fails where it throws none. */
export function userErrorOf(work: () => unknown): UserError {
	try {
		work();
	} catch (error) {
		if (error instanceof UserError) return error;
		throw error;
	}
	throw new Error('No UserError was thrown');
}
