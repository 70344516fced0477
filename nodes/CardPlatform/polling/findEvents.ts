import type { IDataObject } from 'n8n-workflow';

import type { TimeRange } from '../api/recordFilter';
import { UserError } from '../api/userError';
import type { CardEventSource, ListedTransaction } from '../events/cardEvents';
import { type EventChoice, selectEvents } from '../events/eventTypes';
import { EventMemory, type NewEvent } from './eventMemory';
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
}

/**
 * Finds the events that are new since the last poll (§4.6, §4.8). Only its ID shows that an event is new: it has the
 * time of its transaction (§2), even if it is a clearing that comes weeks later. So a poll reads the cards whose
 * listed transactions changed, and each card once per recheck interval. The next poll reads what is left over.
 *
 * @param stored what n8n has stored of the last poll; undefined or null before the first
 * @returns the new events, oldest first; the cards that cannot be read; why a list failed, if others did not; why the
 * poll ended before everything was read; whether n8n must store the state, and why the trigger starts over, if it does
 * @throws what the source throws for the first list, for all cards, or for a wrong key; then nothing is to be stored
 */
export async function findEvents(stored: unknown, source: CardEventSource, settings: PollSettings) {
	return await new Poll(stored, source, settings).run();
}

/** A poll under way: it lists and reads what the memory says, as long as there is time. */
class Poll {
	private readonly source: CardEventSource;
	private readonly settings: PollSettings;
	private readonly memory: EventMemory;

	/** Whether a list has shown that the API key is one of the account. */
	private isOwnAccount = false;
	/** Cards that were read, or failed. */
	private readonly tried = new Set<string>();
	private hasRead = false;
	private readonly found: NewEvent[] = [];
	/** Failed cards to report. */
	private readonly failed: string[] = [];
	/** Of cards that could be read before. */
	private readonly newFailures: UserError[] = [];
	private listFailure: UserError | undefined;
	private endedEarly: 'rate limit' | 'time' | 'events' | undefined;

	constructor(stored: unknown, source: CardEventSource, settings: PollSettings) {
		this.source = source;
		this.settings = settings;
		this.memory = new EventMemory(stored, settings, settings.now());
	}

	async run() {
		const { memory } = this;
		if (this.settings.replaysNewest) memory.replayNewest();

		await this.listRecent();
		await this.readDueCards();
		while (await this.listEarlier()) await this.readDueCards();
		await this.refuseOutage();

		const { found, failed, listFailure } = this;
		found.sort((a, b) => a.time - b.time);
		memory.end(found);
		const isBehind = memory.recent !== undefined && listFailure === undefined;
		const endedEarly = this.endedEarly ?? (isBehind ? 'time' : undefined);
		const { state, opened, mustStore } = memory;
		const events = found.map(({ event }) => event);
		return { state, events, failed, listFailure, endedEarly, mustStore, opened };
	}

	/**
	 * Lists the transactions since the last poll. After a long pause, that takes half of the time: the rest is for cards.
	 * But the poll must get further than the last one.
	 */
	private async listRecent(): Promise<void> {
		const { memory, settings } = this;
		const { cursor } = memory.state;
		const halfTime = (settings.now() + settings.deadline) / 2;
		for (let range = memory.recent; range !== undefined; range = memory.recent) {
			const isFurther = memory.state.cursor > cursor;
			if (isFurther && settings.now() >= halfTime) return;
			const listed = await this.list(range);
			if (!(listed instanceof UserError)) {
				memory.addRecent(listed, range);
				continue;
			}
			const isShorter = memory.shortenRecent();
			if (!isShorter && !isFurther) throw listed;
			this.noteListFailure(listed, !isShorter);
			if (!isShorter || this.isOver()) return;
		}
	}

	/** Lists the next range of earlier transactions; false if there is none, no time, or a failure. */
	private async listEarlier(): Promise<boolean> {
		const range = this.memory.earlier;
		if (range === undefined || this.isOver()) return false;
		const listed = await this.list(range);
		if (listed instanceof UserError) this.noteListFailure(listed);
		else this.memory.addEarlier(listed, range);
		return !(listed instanceof UserError);
	}

	/** Lists the transactions of a range, or gives why that failed. */
	private async list(range: TimeRange): Promise<ListedTransaction[] | UserError> {
		const listed = await this.source.transactions(range).catch(tolerable);
		if (!(listed instanceof UserError)) await this.refuseOtherAccount(listed);
		return listed;
	}

	/** The next poll tries the list again. */
	private noteListFailure(failure: UserError, endsPoll = true): void {
		if (endsPoll && failure.httpCode === '429') this.endedEarly = 'rate limit';
		else this.listFailure = failure;
	}

	/** A key for another account cannot see the known cards, and all of its events would be new. */
	private async refuseOtherAccount(transactions: ListedTransaction[]): Promise<void> {
		const named = transactions.map(({ cardId }) => cardId);
		if (named.length === 0 || this.isOwnAccount) return;
		this.isOwnAccount = !this.memory.knowsOnlyOthers(named) || (await this.hasKnownCards());
		if (!this.isOwnAccount) throw otherAccount('cards');
	}

	/** Whether the API has one of the known cards. */
	private async hasKnownCards(): Promise<boolean> {
		if (!this.memory.knowsOnlyOthers(await this.source.cards())) return true;
		// The list may leave out archived cards, and each purchase may be made with a new card.
		const known = this.memory.newestCards(KNOWN_CARDS_TO_READ);
		const answers = await Promise.allSettled(known.map(this.source.isGone));
		if (answers.some((each) => each.status === 'fulfilled' && !each.value)) return true;
		// Whose cards they are is not known if they cannot be read.
		for (const each of answers) if (each.status === 'rejected') throw tolerable(each.reason);
		return false;
	}

	/** Reads the cards that are due, until the poll is over. */
	private async readDueCards(): Promise<void> {
		const due = this.memory.dueCards.filter((cardId) => !this.tried.has(cardId));
		await this.source.mapConcurrent(due, async (cardId) => {
			if (!this.isOver()) await this.readCard(cardId);
		});
	}

	/** Finds the new events of a card; false if it cannot be read. */
	private async readCard(cardId: string): Promise<boolean> {
		this.tried.add(cardId);
		const events = await this.readEvents(cardId);
		if (events === undefined) return false;
		this.hasRead = true;
		const chosen = new Set(selectEvents(events, this.settings.choice));
		const added = this.memory.addEvents(cardId, events);
		for (const each of added) if (chosen.has(each.event)) this.found.push(each);
		return true;
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
		const { now, deadline, maxItems } = this.settings;
		if (now() >= deadline) this.endedEarly ??= 'time';
		if (this.found.length >= maxItems) this.endedEarly ??= 'events';
		return this.endedEarly !== undefined;
	}

	/**
	 * Refuses the poll if the API gives no events at all: then no card has failed, and the next poll reads all of them. A
	 * card that is tried alone proves nothing. Of several, one that was read before decides.
	 */
	private async refuseOutage(): Promise<void> {
		const [first, ...others] = this.newFailures;
		const maySay = others.length > 0 || this.memory.opened.isNew;
		// If the time is up, the next poll tries others.
		if (first === undefined || !maySay || this.hasRead || this.endedEarly !== undefined) return;
		const { readLast } = this.memory;
		if (readLast === undefined || !(await this.readCard(readLast))) throw first;
	}
}

/** Gives the failure of one request, which others may survive; throws what none does: a wrong key, or a bug. */
function tolerable(error: unknown): UserError {
	if (error instanceof UserError && error.httpCode !== '401') return error;
	throw error;
}
