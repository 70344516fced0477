import { Problem } from '../../nodes/CardPlatform/api/problem';

/** Gives the Problem that some work throws; fails where it throws none. */
export function problemOf(work: () => unknown): Problem {
	try {
		work();
	} catch (error) {
		if (error instanceof Problem) return error;
		throw error;
	}
	throw new Error('No Problem was thrown');
}
