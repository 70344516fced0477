import { findAccount } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { enqueue } from '../webhooks/outbox.ts';
import { type EventStep, type FinancialEvent, insertEvent, kindOf } from './financialEvent.ts';

/** The step that caused an event, its account, and the endpoints that receive it: by default all of the account. */
export interface EventContext {
	step: EventStep;
	accountId: number;
	endpointIds?: string[] | undefined;
}

/**
 * Writes an event and one pending delivery for each endpoint that receives it (§6); none while webhooks are not
 * enabled (§1). Call it in the transaction of the state change it tells about, so that neither is ever kept
 * without the other.
 */
export function recordEvent(
	db: Database,
	event: FinancialEvent,
	{ step, accountId, endpointIds }: EventContext,
	now: Date,
): { id: string; endpointId: string }[] {
	insertEvent(db, event, step);
	if (!findAccount(db, accountId)?.features.webhooks) return [];
	return enqueue(db, { id: event.id, kind: kindOf(event) }, accountId, now, endpointIds);
}
