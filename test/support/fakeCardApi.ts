import type { CardFinancialEvent } from '../../nodes/CardPlatform/api/event';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import type { CardEventSource } from '../../nodes/CardPlatform/events/cardEvents';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';

/** The ID of an event; '' without one. */
export const idOf = ({ id }: { id?: unknown }): string => (typeof id === 'string' ? id : '');

/** What fails where the fake API answers with a status. */
const failureWith = (status: number) => new UserError(`status ${status}`, '', `${status}`);

/** How a trigger with the default options polls a fake API, but for its clock and how far it looks back. */
export const POLL_SETTINGS = {
	nodeId: 'n',
	baseUrl: 'x',
	recheckInterval: 3_600_000,
	choice: parseEventTypes(['all'], 'Trigger On', false),
	maxItems: 1_000,
};

interface Transaction {
	id: string;
	cardId: string;
	createdAt: number;
	/** From then on the API shows it. */
	visibleAt: number;
	/** False: the list of transactions lacks it. */
	isListed: boolean;
	/** How often it changed. */
	changes: number;
	events: CardFinancialEvent[];
}

/**
 * The part of the API that polling reads, in memory (§2, §4.6, §4.8): transactions with the events of
 * their cards, a clock, and requests that fail on demand.
 */
export class FakeCardApi implements CardEventSource {
	/** Milliseconds since 1970, by the API's clock. */
	now = Date.UTC(2026, 0, 31);

	/** Status of a request by its number, counted from 0 by {@link requests}. */
	failures = new Map<number, number>();

	requests = 0;

	/** Lists that were requested, and cards whose events were. */
	readonly listed: { from: number; to: number }[] = [];

	readonly visited: string[] = [];

	/** Cards whose events get this status, which is not from the API itself. */
	readonly brokenCards = new Set<string>();

	brokenWith = 500;

	/** How long the response of such a card takes, in milliseconds: one that drips, until it is given up. */
	brokenTakes = 0;

	/** Whether the events of all cards get it. */
	isOut = false;

	/** Cards that no longer exist: they are not listed, and have no events. */
	readonly goneCards = new Set<string>();

	/** Cards that are not listed, but can be read. */
	readonly archivedCards = new Set<string>();

	/** Transactions from before then are no longer listed. */
	hiddenBefore = -Infinity;

	/** Changes the events of a card in a response. */
	changeEvents: (events: CardFinancialEvent[]) => CardFinancialEvent[] = (events) => events;

	/** Is run before each response. */
	beforeResponse: () => void = () => undefined;

	private readonly all: Transaction[] = [];

	private readonly byCard = new Map<string, Transaction[]>();

	/** When the API shows an event. */
	private readonly eventsVisibleAt: number[] = [];

	/** A transaction with its first event, which may become visible later; gives both IDs. */
	purchase(
		cardId: string,
		{ ago = 0, visibleIn = 0, isListed = true, eventIn = 0 } = {},
		event: CardFinancialEvent = {},
	): { id: string; eventId: string } {
		const id = `t${this.all.length}`;
		const createdAt = this.now - ago;
		const visibleAt = this.now + visibleIn;
		const transaction = { id, cardId, createdAt, visibleAt, isListed, changes: 0, events: [] };
		this.all.push(transaction);
		this.byCard.set(cardId, [...(this.byCard.get(cardId) ?? []), transaction]);
		return { id, eventId: this.addEvent(id, event, visibleIn + eventIn) };
	}

	/** A transaction changes in the list, as when it is settled. */
	change(transactionId: string): void {
		const transaction = this.all[Number(transactionId.slice(1))];
		if (transaction !== undefined) transaction.changes++;
	}

	/** A later event of a transaction, e.g. a refund: its time is that of the transaction (§2). */
	addEvent(transactionId: string, event: CardFinancialEvent = {}, visibleIn = 0): string {
		const transaction = this.all[Number(transactionId.slice(1))];
		if (transaction === undefined) throw new Error(`no transaction ${transactionId}`);
		const id = `e${this.eventsVisibleAt.push(this.now + visibleIn) - 1}`;
		transaction.events.unshift({
			id,
			transactionId,
			cardId: transaction.cardId,
			createdAt: new Date(transaction.createdAt).toISOString(),
			...event,
		});
		return id;
	}

	/** When the transaction of an event was created. */
	timeOf(eventId: string): number {
		const found = this.all.find(({ events }) => events.some(({ id }) => id === eventId));
		return found?.createdAt ?? Number.NaN;
	}

	transactions: CardEventSource['transactions'] = async ({ from, to }) => {
		await this.respond();
		this.listed.push({ from, to });
		const found = this.all
			.filter(({ visibleAt, isListed }) => isListed && visibleAt <= this.now)
			.filter(({ createdAt }) => createdAt >= Math.max(from, this.hiddenBefore) && createdAt < to)
			.sort((a, b) => b.createdAt - a.createdAt)
			.map(({ id, cardId, createdAt, changes }) => {
				return { id, cardId, createdAt, fingerprint: `${id} ${changes}` };
			});
		// A page has 100 at most.
		this.requests += Math.max(0, Math.ceil(found.length / 100) - 1);
		return found;
	};

	cards: CardEventSource['cards'] = async () => {
		await this.respond();
		return [...this.byCard.keys()].filter(
			(cardId) => !this.goneCards.has(cardId) && !this.archivedCards.has(cardId),
		);
	};

	isGone: CardEventSource['isGone'] = async (cardId) => {
		await this.respond();
		if (this.brokenCards.has(cardId)) throw failureWith(this.brokenWith);
		return this.goneCards.has(cardId) || !this.byCard.has(cardId);
	};

	events: CardEventSource['events'] = async (cardId) => {
		await this.respond();
		this.visited.push(cardId);
		if (this.isOut || this.brokenCards.has(cardId)) {
			this.now += this.brokenTakes;
			throw failureWith(this.brokenWith);
		}
		if (this.goneCards.has(cardId)) return [];
		const events = (this.byCard.get(cardId) ?? [])
			.filter((each) => each.visibleAt <= this.now)
			.sort((a, b) => b.createdAt - a.createdAt)
			.flatMap((each) => each.events)
			.filter(({ id }) => (this.eventsVisibleAt[Number(id?.slice(1))] ?? 0) <= this.now);
		return this.changeEvents(events);
	};

	/** Three at a time; as the limiter of the node, it starts none after a failure. */
	mapConcurrent: CardEventSource['mapConcurrent'] = async (items, task) => {
		const entries = items.values();
		const failures: unknown[] = [];
		const worker = async () => {
			for (const item of entries) {
				await task(item).catch((error: unknown) => failures.push(error));
				if (failures.length > 0) return;
			}
		};
		await Promise.all([worker(), worker(), worker()]);
		if (failures.length > 0) throw failures[0];
	};

	private async respond(): Promise<void> {
		const status = this.failures.get(this.requests++);
		this.beforeResponse();
		await Promise.resolve();
		if (status !== undefined) throw failureWith(status);
	}
}
