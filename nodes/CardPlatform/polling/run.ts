import type { CardEventSource } from '../cardEvents/source';
import type { NewEvent } from './newEvents';
import type { PollSettings } from './settings';
import type { PollingState } from './state';

/** A poll while it runs. */
export interface PollRun {
	readonly source: CardEventSource;
	readonly settings: PollSettings;
	readonly state: PollingState;
	/** By n8n's clock. */
	readonly startedAt: number;
	readonly found: NewEvent[];
	/** Cards that the API failed for in this poll. */
	readonly failed: Set<string>;
	readonly failuresToReport: string[];
	/** True once something was read completely. */
	hasProgress: boolean;
	/** True once the API has shown something of a card that was known before. */
	isSameAccount: boolean;
	/** Length of the range that is read together while behind, in milliseconds. */
	step: number;
}

/** Why a poll ended before everything was read. */
export type EndReason = 'rate limit' | 'time' | 'events';

/** Ends a poll before everything was read. */
export class EarlyEnd extends Error {
	readonly reason: EndReason;

	constructor(reason: EndReason) {
		super(reason);
		this.reason = reason;
	}
}

/** Is called before each request. */
export function checkTime({ settings }: PollRun): void {
	if (settings.now() >= settings.deadline) throw new EarlyEnd('time');
}

/** Is called where the next poll can go on without a change of the order of events. */
export function checkEventCount({ found, settings }: PollRun): void {
	if (found.length >= settings.maxEvents) throw new EarlyEnd('events');
}
