import type { CardLimit } from './card.ts';

/** The beginning of time for text-ordered timestamps: every transaction counts from here. */
const ALWAYS = '';

/**
 * Takes a limit and the time, gives the RFC 3339 time from which on spending counts towards the
 * limit (assumption LIMIT_TYPES).
 */
export function limitStart(limit: CardLimit, now: Date): string {
	if (limit.type !== 'monthly') return ALWAYS;
	return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
}
