import type { IDataObject } from 'n8n-workflow';

import type { TimeRange } from '../api/recordFilter';
import { UserError } from '../api/userError';
import type { CardEventSource, ListedTransaction } from '../events/cardEvents';
import { type EventChoice, selectEvents } from '../events/eventTypes';
import { EventMemory, type NewEvent, type PollingState } from './eventMemory';
import { otherAccount } from './state';
import type { PollCircumstances } from './types';

/** Known cards that are read before a key is taken for one of another account. */
const KNOWN_CARDS_TO_READ = 3;

/** What a person chose, and the circumstances of a poll. Times are in milliseconds. */
export interface PollSettings extends PollCircumstances {
	lookBack: number;
	/** Each card is read at least once in this time. */
	recheckInterval: number;
	/** The events to emit. */
	choice: EventChoice;
	/** New events after which no further card is read. */
	maxEvents: number;
}

/** The result of a poll. */
interface PollResult {
	state: PollingState;
	/** The new events, oldest first. */
	events: IDataObject[];
	/** Cards that cannot be read, to be reported. */
	failed: string[];
	/** Why older transactions, or those of a day, could not be listed. */
	listFailure?: UserError;
	/** Why the poll ended before everything was read. */
	endedEarly?: 'rate limit' | 'time' | 'events';
	/** True if the poll found out what is old, on a card or in the whole list: that must be stored. */
	isFirstRound: boolean;
}

/**
 * Finds the events that are new since the last poll (§4.6, §4.8). Only its ID shows that an event is new: it has the
 * time of its transaction (§2), even if it is a clearing that comes weeks later. So a poll reads the cards whose
 * listed transactions changed, and each card once per recheck interval. The next poll reads what is left over.
 *
 * @param stored what n8n has stored of the last poll; undefined or null before the first
 * @throws what the source throws for recent transactions, for all cards, or for a wrong key; then nothing is to be stored
 */
export async function findEvents(
	stored: unknown,
	source: CardEventSource,
	settings: PollSettings,
): Promise<PollResult> {
	return await new Poll(stored, source, settings).run();
}

/** A poll under way. */
class Poll {
	private readonly source: CardEventSource;
	private readonly settings: PollSettings;
	private readonly memory: EventMemory;

	/** Cards that were read, or failed. */
	private readonly tried = new Set<string>();
	private hasRead = false;
	private readonly found: NewEvent[] = [];
	/** Failed cards to report. */
	private readonly failed: string[] = [];
	/** Of cards that could be read before. */
	private readonly newFailures: UserError[] = [];
	private listFailure: UserError | undefined;
	private endedEarly: PollResult['endedEarly'];

	constructor(stored: unknown, source: CardEventSource, settings: PollSettings) {
		this.source = source;
		this.settings = settings;
		this.memory = new EventMemory(stored, settings, settings.now());
	}

	async run(): Promise<PollResult> {
		const { memory, found, failed } = this;
		if (this.settings.replaysNewest) memory.replayNewest();

		await this.listRecent();
		await this.readDueCards();
		while (memory.older && !this.isOver() && (await this.listOlder(memory.older)))
			await this.readDueCards();

		this.refuseOutage();
		found.sort((a, b) => a.time - b.time);
		memory.end(found);
		const { state, mustStore: isFirstRound } = memory;
		const { listFailure, endedEarly } = this;
		const events = found.map(({ event }) => event);
		return { state, events, failed, listFailure, endedEarly, isFirstRound };
	}

	/** Lists the transactions since the last poll, and those that may have appeared late. */
	private async listRecent(): Promise<void> {
		const { recent, day } = this.memory.startRecent();
		const ofDay = day && (await this.listDay(day));
		const transactions = ofDay ?? (await this.source.transactions(recent));
		await this.refuseOtherAccount(transactions);
		this.memory.addRecent(transactions);
	}

	/** Lists the transactions of a day; undefined if that fails: the next hour's list has most of them, too. */
	private async listDay(day: TimeRange): Promise<ListedTransaction[] | undefined> {
		try {
			return await this.source.transactions(day);
		} catch (error) {
			this.listFailure = tolerable(error);
			return undefined;
		}
	}

	/** A key for another account cannot see the known cards, and all of its events would be new. */
	private async refuseOtherAccount(transactions: ListedTransaction[]): Promise<void> {
		const named = transactions.map(({ cardId }) => cardId);
		if (named.length === 0 || !this.memory.knowsOnlyOthers(named)) return;
		if (!this.memory.knowsOnlyOthers(await this.source.cards())) return;
		// The list may leave out archived cards, and each purchase may be made with a new card.
		const known = this.memory.newestCards(KNOWN_CARDS_TO_READ);
		const answers = await Promise.allSettled(known.map(this.source.isGone));
		if (answers.some((each) => each.status === 'fulfilled' && !each.value)) return;
		// Whose cards they are is not known if they cannot be read.
		for (const each of answers) if (each.status === 'rejected') throw tolerable(each.reason);
		throw otherAccount('cards');
	}

	/** Lists transactions from before the first poll; false if that fails: the next poll tries it again. */
	private async listOlder(range: TimeRange): Promise<boolean> {
		try {
			this.memory.addOlder(await this.source.transactions(range), range);
			return true;
		} catch (error) {
			const failure = tolerable(error);
			if (failure.httpCode === '429') this.endedEarly = 'rate limit';
			else this.listFailure = failure;
			return false;
		}
	}

	/** Reads the cards that are due, until the poll is over. */
	private async readDueCards(): Promise<void> {
		const due = this.memory.dueCards.filter((cardId) => !this.tried.has(cardId));
		await this.source.mapConcurrent(due, async (cardId) => {
			if (this.isOver()) return;
			this.tried.add(cardId);
			const events = await this.readEvents(cardId);
			if (events === undefined) return;
			this.hasRead = true;
			const added = this.memory.addEvents(cardId, events);
			const chosen = new Set(selectEvents(events, this.settings.choice));
			this.found.push(...added.filter(({ event }) => chosen.has(event)));
		});
	}

	/** Reads the events of a card; undefined if that fails: a later poll tries it again. */
	private async readEvents(cardId: string): Promise<IDataObject[] | undefined> {
		try {
			return await this.source.events(cardId);
		} catch (error) {
			const failure = tolerable(error);
			if (failure.httpCode !== '429') this.noteFailure(cardId, failure);
			else if (this.hasRead) this.endedEarly = 'rate limit';
			else throw failure;
			return undefined;
		}
	}

	private noteFailure(cardId: string, failure: UserError): void {
		const { isNew, isReported } = this.memory.addFailure(cardId);
		if (isNew) this.newFailures.push(failure);
		if (isReported) this.failed.push(cardId);
	}

	/** Whether the poll must end, with what it has. */
	private isOver(): boolean {
		const { now, deadline, maxEvents } = this.settings;
		if (now() >= deadline) this.endedEarly ??= 'time';
		if (this.found.length >= maxEvents) this.endedEarly ??= 'events';
		return this.endedEarly !== undefined;
	}

	/** If no card could be read, it is not the fault of a card. One that is tried alone proves nothing. */
	private refuseOutage(): void {
		const [first, ...others] = this.newFailures;
		const areAll = !this.hasRead && (others.length > 0 || this.memory.isNew);
		// If the time is up, the next poll tries others.
		if (first !== undefined && areAll && this.endedEarly === undefined) throw first;
	}
}

/** Gives the failure of one request, which others may survive; throws what none does: a wrong key, or a bug. */
function tolerable(error: unknown): UserError {
	if (error instanceof UserError && error.httpCode !== '401') return error;
	throw error;
}
