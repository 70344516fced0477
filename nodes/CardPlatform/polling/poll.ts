import type { IDataObject } from 'n8n-workflow';

import { LATE_TRANSACTION_MS, MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import { UserError } from '../api/userError';
import type { CardEventSource, ListedTransaction } from '../cardEvents/source';
import { REMEMBERED_ENTRIES } from '../events/deduplicate';
import { type Emission, hash, type PollingState } from './state';
import { byAge, type NewEvent, type Rule, visitCard } from './visit';

const DAY = 86_400_000;

/** Shortest range that is read together. */
const SHORTEST_STEP = 60_000;

/** If the API fails for more cards than that, the poll fails. */
const MAX_FAILING = 10;

/** All old transactions are listed again in this time, in case one appeared late. */
const REVIEW_PERIOD = DAY;

/**
 * How long n8n may take to start the executions of a poll, on a busy machine. Until then a crash can lose
 * them, though n8n has stored that they were emitted.
 */
const STARTING_MS = 300_000;

/**
 * How many events are emitted again at most; those of the newest poll are in any case. The first step
 * of their executions must still know them: each has a key for each trigger that starts the same nodes.
 */
const MAX_REPEATED = REMEMBERED_ENTRIES / 8;

/** What a person chose, and the circumstances of a poll. Times are in milliseconds. */
export interface PollSettings {
	/** ID of the trigger's node. */
	node: string;
	baseUrl: string;
	/** Start From as it was typed; '' without it. */
	startFrom: string;
	/** Start From, since 1970. */
	start?: number;
	lookBack: number;
	/** Each card is visited at least once in this time. */
	sweepInterval: number;
	/** Chooses the events to emit. */
	matches: (event: IDataObject) => boolean;
	/** True: what was emitted of late is emitted again, as it may not have arrived. */
	repeatsRecent: boolean;
	/** n8n's clock. */
	now: () => number;
	/** No list and no card is begun after this moment. */
	deadline: number;
	/** New transactions that are read together while the trigger is behind. */
	portion: number;
	/** New events after which the poll ends; the next one finds the others. */
	enoughEvents: number;
}

/** What a poll came to. */
export interface PollResult {
	state: PollingState;
	/** The new events, oldest first. */
	events: IDataObject[];
	/** Cards that the API failed for, while it had others; the next poll visits them again. */
	failed: string[];
	/** Those to report, as that lasts: each once per Sweep Interval. */
	overdue: string[];
	/** Why it ended before everything was read. */
	endedEarly?: EndReason;
	/** True if it found out what is old; then the state must be stored. */
	isFirstRound: boolean;
}

type EndReason = 'rate limit' | 'time' | 'events';

/** Ends a poll before everything was read. */
class EarlyEnd extends Error {
	readonly reason: EndReason;

	constructor(reason: EndReason) {
		super(reason);
		this.reason = reason;
	}
}

const NO_HASHES: ReadonlySet<string> = new Set();

/** The state of a trigger that has not polled yet. */
async function begin(source: CardEventSource, settings: PollSettings): Promise<PollingState> {
	const { node, baseUrl, startFrom, start, lookBack } = settings;
	const now = settings.now();
	const since = now - MAX_CLOCK_DIFFERENCE_MS;
	const { transactions } =
		start === undefined
			? await source.transactions({ from: since }, Infinity)
			: { transactions: [] };
	const horizon = Math.min(start ?? now, now - lookBack, since);
	return {
		version: 1,
		node,
		baseUrl,
		startFrom,
		horizon,
		cursor: horizon,
		step: DAY,
		recent: new Set(),
		first: { start, since, known: new Set(transactions.map(({ id }) => hash(id))) },
		cards: new Map(),
		sweep: { at: now, due: 0 },
		review: { at: now, from: horizon },
		failing: new Map(),
		emitted: [],
		repeating: new Map(),
	};
}

/** Chooses what is to be emitted again after a crash: that of the newest poll, and of those shortly before it. */
function keepRecent(emissions: Emission[]): Emission[] {
	const newest = emissions.at(-1)?.at ?? 0;
	let count = 0;
	return [...emissions]
		.reverse()
		.filter(({ at, cards }, index) => {
			for (const hashes of cards.values()) count += hashes.size;
			return index === 0 || (newest - at <= STARTING_MS && count <= MAX_REPEATED);
		})
		.reverse();
}

/** Once all past events have come, Start From can be removed without a change. */
function isOtherStart({ startFrom, first }: PollingState, wanted: string): boolean {
	return wanted === '' ? first?.start !== undefined : wanted !== startFrom;
}

/**
 * Finds the events that are new since the last poll (§4.6, §4.8). Reads the transactions since then,
 * and the events of their cards; then visits a share of the other cards, as an old transaction can
 * get a new event. While it is behind, e.g. after an outage, it reads one range of time after the
 * other. When the API limits the rate or the time is up, it keeps what it has read completely.
 *
 * @param stored what the last poll came to, changed by this one; undefined before the first
 * @throws what the source throws; the stored state is then to be decoded again
 */
export async function poll(
	stored: PollingState | undefined,
	source: CardEventSource,
	settings: PollSettings,
): Promise<PollResult> {
	const { baseUrl, startFrom } = settings;
	const continues = stored?.baseUrl === baseUrl && !isOtherStart(stored, startFrom);
	const state = continues ? { ...stored, startFrom } : await begin(source, settings);
	if (settings.repeatsRecent) {
		for (const [cardId, hashes] of state.emitted.flatMap(({ cards }) => [...cards])) {
			const others = state.repeating.get(cardId) ?? NO_HASHES;
			state.repeating.set(cardId, new Set([...others, ...hashes]));
		}
	}
	return await new Poll(state, source, settings).run();
}

class Poll {
	private readonly found: NewEvent[] = [];

	/** True once something was read completely. */
	private hasProgress = false;

	/** True once the API has shown something of a card that was known before. */
	private isSameAccount = false;

	/** Cards that the API failed for in this poll. */
	private readonly failed = new Set<string>();

	private lastFailure: unknown;

	/** True once it failed for a card for which it did not fail before. */
	private hasNewFailure = false;

	/** True once it had the events of a card. */
	private hasReadCard = false;

	private readonly state: PollingState;

	private readonly source: CardEventSource;

	private readonly settings: PollSettings;

	/** By n8n's clock. */
	private readonly startedAt: number;

	constructor(state: PollingState, source: CardEventSource, settings: PollSettings) {
		this.state = state;
		this.source = source;
		this.settings = settings;
		this.startedAt = settings.now();
		// The clock may have been ahead. Nothing before the horizon is looked at.
		state.cursor = Math.max(Math.min(state.cursor, this.startedAt), state.horizon);
	}

	async run(): Promise<PollResult> {
		const isFirstRound = this.state.first !== undefined;
		const endedEarly = await this.read().then(
			() => undefined,
			(error: unknown) => this.reasonToEnd(error),
		);
		// Perhaps the API fails for every card.
		if (this.hasNewFailure && !this.hasReadCard) throw this.lastFailure;
		const [events, overdue] = [this.takeEvents(), this.takeOverdue()];
		const failed = [...this.failed];
		return { state: this.state, events, failed, overdue, endedEarly, isFirstRound };
	}

	private async read(): Promise<void> {
		await this.repeat();
		while (await this.readTransactions());
		await this.revisit();
		await this.review();
		await this.sweep();
	}

	private reasonToEnd(error: unknown): EndReason {
		if (error instanceof EarlyEnd) return error.reason;
		if (this.hasProgress && this.source.isRateLimit(error)) return 'rate limit';
		throw error;
	}

	/** Finds events again that may not have arrived. */
	private async repeat(): Promise<void> {
		const { cards, horizon, repeating } = this.state;
		await this.source.mapConcurrent([...repeating], async ([cardId, again]) => {
			this.checkEvents();
			const newEvents = await this.visit(cardId, { ...this.ruleUntil(-Infinity), again });
			if (newEvents === undefined) return;
			const missing = new Set(again);
			for (const { hash: key } of newEvents) missing.delete(key);
			const isOld = (cards.get(cardId)?.latest ?? -Infinity) < horizon;
			// The API may list them again later.
			if (missing.size > 0 && !isOld) repeating.set(cardId, missing);
			else repeating.delete(cardId);
		});
	}

	/**
	 * Reads the transactions since the last poll, or a part of them, and visits their cards.
	 *
	 * @returns true if there are more of them
	 */
	private async readTransactions(): Promise<boolean> {
		const { state } = this;
		const { transactions, end } = await this.readPortion();
		const unread = new Map<string, ListedTransaction[]>();
		for (const transaction of [...transactions].sort((a, b) => a.createdAt - b.createdAt)) {
			if (state.recent.has(hash(transaction.fingerprint)) || this.isCovered(transaction)) continue;
			const others = unread.get(transaction.cardId) ?? [];
			unread.set(transaction.cardId, [...others, transaction]);
		}
		const until = end === undefined ? Infinity : Math.max(end, this.firstMomentToKeep());
		await this.checkAccount([...unread.keys()]);
		// Not only until there are enough events: the others would come after newer ones of these cards.
		await this.source.mapConcurrent([...unread], async ([cardId, ofCard]) => {
			await this.visit(cardId, this.ruleUntil(until));
			const card = state.cards.get(cardId);
			// If the poll ends early, the next one reads this portion again, without these.
			for (const { createdAt, fingerprint } of ofCard) {
				state.recent.add(hash(fingerprint));
				if (card !== undefined) card.latest = Math.max(card.latest, createdAt);
			}
		});

		state.cursor = Math.max(state.cursor, end ?? this.lastMomentOf(transactions));
		state.horizon = Math.max(state.horizon, state.cursor - this.settings.lookBack);
		this.forgetOldCards();
		state.recent = new Set(
			transactions
				.filter(({ createdAt }) => createdAt >= state.cursor - LATE_TRANSACTION_MS)
				.map(({ fingerprint }) => hash(fingerprint)),
		);
		this.hasProgress = true;
		if (end !== undefined) return true;
		delete state.first;
		return false;
	}

	/** Without Start From, the first visit of a card settles what is old. */
	private isCovered({ cardId, createdAt }: ListedTransaction): boolean {
		const { first, cards } = this.state;
		const isBaseline = first !== undefined && createdAt < this.firstMomentToKeep();
		return isBaseline && createdAt <= (cards.get(cardId)?.latest ?? -Infinity);
	}

	private firstMomentToKeep(): number {
		const { first } = this.state;
		return first === undefined ? -Infinity : (first.start ?? Infinity);
	}

	/** Lists the transactions since the last poll; if they are too many, those up to an end. */
	private async readPortion(): Promise<{ transactions: ListedTransaction[]; end?: number }> {
		const { state } = this;
		const from = state.cursor - LATE_TRANSACTION_MS;
		const limit = this.settings.portion + state.recent.size;
		const open = await this.list({ from }, limit);
		if (open.isComplete) return open;

		// The cursor cannot get any further, so what is left is read together.
		if (state.cursor >= this.startedAt) return await this.list({ from }, Infinity);
		const last = Math.max(state.cursor, this.lastMomentOf(open.transactions));
		for (;;) {
			const end = Math.min(state.cursor + state.step, last);
			const isShortest = state.step <= SHORTEST_STEP;
			const portion = await this.list({ from, to: end }, isShortest ? Infinity : limit);
			// Otherwise each portion would be as long as all of them.
			if (portion.ignoresEnd) return await this.list({ from }, Infinity);
			if (portion.isComplete) {
				const isSmall = portion.transactions.length < limit / 4;
				if (isSmall) state.step = Math.min(state.step * 2, 365 * DAY);
				return { ...portion, end };
			}
			state.step = Math.max(state.step / 2, SHORTEST_STEP);
		}
	}

	/**
	 * Up to when these transactions show that all have been read. Not ahead of n8n's clock, as others come
	 * before those that are: they are read again until the clock has passed them.
	 */
	private lastMomentOf(transactions: ListedTransaction[]): number {
		const newest = transactions.reduce((time, each) => Math.max(time, each.createdAt), -Infinity);
		return Math.min(newest, this.startedAt);
	}

	/** Visits the cards that the API failed for: their transactions count as read, and do not come again. */
	private async revisit(): Promise<void> {
		const cardIds = [...this.state.failing.keys()].filter((cardId) => !this.failed.has(cardId));
		await this.checkAccount(cardIds);
		await this.source.mapConcurrent(cardIds, async (cardId) => {
			this.checkEvents();
			await this.visit(cardId, this.ruleUntil(Infinity));
		});
	}

	/** Lists old transactions again, a day at a time; a card that nobody knew is visited. */
	private async review(): Promise<void> {
		const { cards, cursor, horizon, review } = this.state;
		const now = this.settings.now();
		const timePerDay = (REVIEW_PERIOD * DAY) / this.settings.lookBack;
		// Not in the future, where a wrong clock may have put it.
		review.at = Math.min(Math.max(review.at, now - REVIEW_PERIOD), now);
		while (review.at + timePerDay <= now) {
			const from = Math.max(review.from, horizon);
			const to = from + DAY;
			const { transactions } = await this.list({ from, to }, Infinity);
			const all = new Set(transactions.map(({ cardId }) => cardId));
			const unknown = [...all].filter((cardId) => !cards.has(cardId));
			await this.checkAccount(unknown);
			await this.source.mapConcurrent(unknown, async (cardId) => {
				this.checkEvents();
				await this.visit(cardId, this.ruleUntil(Infinity));
			});
			review.from = to > cursor ? horizon : to;
			review.at += timePerDay;
		}
	}

	/** Visits the cards whose turn it is, the one whose visit is longest ago first. */
	private async sweep(): Promise<void> {
		const { cards, failing, sweep } = this.state;
		const now = this.settings.now();
		const { sweepInterval } = this.settings;
		const elapsed = Math.min(Math.max(now - sweep.at, 0), sweepInterval);
		sweep.due = Math.min(sweep.due + (cards.size * elapsed) / sweepInterval, cards.size);
		sweep.at = now;
		const inLine = [...cards.keys()].filter((cardId) => !failing.has(cardId));
		const next = inLine.slice(0, Math.max(Math.ceil(sweep.due), 0));
		await this.source.mapConcurrent(next, async (cardId) => {
			this.checkEvents();
			await this.visit(cardId, this.ruleUntil(Infinity));
			sweep.due--;
		});
	}

	/** A card without a transaction since the horizon has no event that is looked at. */
	private forgetOldCards(): void {
		const { cards, horizon } = this.state;
		for (const [cardId, { latest }] of cards) if (latest < horizon) cards.delete(cardId);
	}

	/**
	 * Visits a card, which then moves to the end of the line, and keeps what is new.
	 *
	 * @returns undefined if the API fails for the card
	 */
	private async visit(cardId: string, rule: Rule): Promise<NewEvent[] | undefined> {
		const { cards, failing } = this.state;
		const events = await this.readEvents(cardId);
		if (events === undefined) return undefined;
		// Otherwise only a part of what it missed is looked at.
		if (rule.until === Infinity) failing.delete(cardId);
		const { card, newEvents } = visitCard(cardId, cards.get(cardId), events, rule);
		cards.delete(cardId);
		cards.set(cardId, card);
		this.found.push(...newEvents.filter(({ event }) => this.settings.matches(event)));
		this.hasProgress = true;
		return newEvents;
	}

	/** Reads the events of a card; undefined if the API fails for it. It must not block the others. */
	private async readEvents(cardId: string): Promise<IDataObject[] | undefined> {
		if (this.failed.has(cardId)) return undefined;
		this.checkTime();
		const events = await this.source.events(cardId).catch((error: unknown) => {
			this.skip(cardId, error);
		});
		this.hasReadCard ||= events !== undefined;
		return events ?? undefined;
	}

	/** Leaves a card that could not be read for the next poll, if that is not a failure of them all. */
	private skip(cardId: string, error: unknown): void {
		const { failing, first } = this.state;
		const isNew = !failing.has(cardId);
		const isTooMany = isNew && failing.size >= MAX_FAILING;
		if (first !== undefined || isTooMany || !this.source.isServerError(error)) throw error;
		if (isNew) failing.set(cardId, this.settings.now());
		this.hasNewFailure ||= isNew;
		this.lastFailure = error;
		this.failed.add(cardId);
	}

	/**
	 * Checks that the account is still the same before unknown cards are visited: a key for another
	 * one cannot see the known cards, and all events of its own would be new.
	 */
	private async checkAccount(cardIds: string[]): Promise<void> {
		const { cards, failing } = this.state;
		if (this.isSameAccount || cards.size === 0 || cardIds.every((id) => cards.has(id))) return;
		const [newest] = [...cards]
			.filter(([cardId]) => !failing.has(cardId))
			.sort(([, a], [, b]) => b.latest - a.latest);
		const events = newest && (await this.readEvents(newest[0]));
		this.isSameAccount = events !== undefined && events.length > 0;
		if (this.isSameAccount) return;
		// It may be gone for good: then any other one will do.
		this.checkTime();
		this.isSameAccount = (await this.source.cards()).some((cardId) => cards.has(cardId));
		if (this.isSameAccount) return;
		throw new UserError(
			'The API no longer shows the cards that the trigger knows',
			'The API key is probably one for another account. Correct it in the Card Platform API credential. To poll the other account, replace the trigger with a new one.',
		);
	}

	private async list(range: { from: number; to?: number }, limit: number) {
		this.checkEvents();
		this.checkTime();
		const listed = await this.source.transactions(range, limit);
		this.isSameAccount ||= listed.transactions.some(({ cardId }) => this.state.cards.has(cardId));
		return listed;
	}

	private checkEvents(): void {
		if (this.found.length >= this.settings.enoughEvents) throw new EarlyEnd('events');
	}

	private checkTime(): void {
		if (this.settings.now() >= this.settings.deadline) throw new EarlyEnd('time');
	}

	private ruleUntil(until: number): Rule {
		const { first, horizon } = this.state;
		const isNew: Rule['isNew'] = ({ transactionId }, time) => {
			if (first === undefined) return true;
			if (first.start !== undefined) return time >= first.start;
			if (typeof transactionId !== 'string') return false;
			return time >= first.since && !first.known.has(hash(transactionId));
		};
		return { horizon, until, isNew, again: NO_HASHES };
	}

	private takeOverdue(): string[] {
		const { failing } = this.state;
		const now = this.settings.now();
		const overdue = [...this.failed].filter(
			(cardId) => now - (failing.get(cardId) ?? now) >= this.settings.sweepInterval,
		);
		for (const cardId of overdue) failing.set(cardId, now);
		return overdue;
	}

	private takeEvents(): IDataObject[] {
		const events = this.found.sort(byAge);
		if (events.length > 0) {
			const cards = new Map<string, Set<string>>();
			for (const { cardId, hash: key } of events) {
				cards.set(cardId, (cards.get(cardId) ?? new Set()).add(key));
			}
			const emissions = [...this.state.emitted, { at: this.settings.now(), cards }];
			this.state.emitted = keepRecent(emissions);
		}
		return events.map(({ event }) => event);
	}
}
