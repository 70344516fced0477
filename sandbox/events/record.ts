import { findAccount } from '../accounts/account.ts';
import type { Services } from '../services.ts';
import { enqueue } from '../webhooks/outbox.ts';
import { type EventStep, type FinancialEvent, insertEvent } from './financialEvent.ts';

/**
 * Writes the event of a step, and one pending delivery for each endpoint of its account (§6); none while webhooks are
 * not enabled (§1). Call it in the transaction of the state change: both are kept, or neither.
 */
export function recordEvent(
	{ db }: Pick<Services, 'db'>,
	event: FinancialEvent,
	{ step, accountId }: { step: EventStep; accountId: number },
	now: Date,
): { id: string; endpointId: string }[] {
	insertEvent(db, event, { step, at: now.toISOString() });
	if (!findAccount(db, accountId)?.features.webhooks) return [];
	return enqueue(db, event.id, accountId, now);
}
