import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { timeOf } from '../api/event';
import { createdIn, type ListQuery, type TimeRange } from '../api/recordFilter';
import { cardPath, cardSchema, objectSchema } from '../api/schemas';
import { ifNotFound, UserError } from '../api/userError';
import { toText } from '../api/values';
import { type EventChoice, selectEvents } from './eventTypes';

/** The part of the API client that reading card events needs. */
export interface ListApi {
	/** Gets one object. */
	get: <T>(path: string, schema: z.ZodType<T>) => Promise<T>;
	/** Gets at most `limit` records of a list (Infinity for all) that pass the filters. */
	list: <T>(path: string, query: ListQuery, limit: number, schema: z.ZodType<T>) => Promise<T[]>;
	/** Gets all records of a list whose pages are undocumented. */
	listUnpaginated: <T>(path: string, query: ListQuery, schema: z.ZodType<T>) => Promise<T[]>;
	/** Runs a task for each item, several at the same time; starts none after a failure. */
	mapConcurrent: <T>(items: readonly T[], task: (item: T) => Promise<void>) => Promise<unknown>;
}

/** The part of a transaction that finding card events needs. */
export interface ListedTransaction {
	id: string;
	cardId: string;
	/** Milliseconds since 1970; without a readable time, the start of the range. */
	createdAt: number;
	/** Changes whenever a listed field changes. */
	fingerprint: string;
}

/** Where card events come from: the API, or a test. */
export type CardEventSource = ReturnType<typeof createSource>;

const value = z.unknown();
/** Only the fields that are needed, because there may be many records; of any type, like events. */
const listedTransactionSchema = z
	.object({ id: value, cardId: value, createdAt: value, status: value, amount: value })
	.describe('a transaction');

const listedCardSchema = z.object({ id: cardSchema.shape.id }).describe('a card');

const anyEventSchema = objectSchema.describe('an event');

/** Lists the transactions of a range (§4.8), and those without a readable time: they may be of any. */
export async function listTransactions<T>(
	api: Pick<ListApi, 'list'>,
	range: TimeRange,
	schema: z.ZodType<T>,
): Promise<T[]> {
	const passes = (row: object) => !(timeOf(row) < range.from || timeOf(row) >= range.to);
	const period = { ...createdIn(range), field: undefined, passes };
	return await api.list('/transactions', { filters: [period] }, Infinity, schema);
}

const isGone = async (api: Pick<ListApi, 'get'>, cardId: string): Promise<boolean> =>
	(await api.get(cardPath(cardId), objectSchema).catch(ifNotFound(undefined))) === undefined;

/**
 * Makes the source that reads the API.
 *
 * @param custom query parameters that are sent with each request for events, as they are
 * @param onGone receives each card that the API does not have
 */
export const createSource = (
	api: ListApi,
	custom: Record<string, string> = {},
	onGone: (cardId: string) => void = () => undefined,
) => ({
	/** Lists transactions that were created in a range, in any order (§4.8). */
	async transactions(range: TimeRange): Promise<ListedTransaction[]> {
		const rows = await listTransactions(api, range, listedTransactionSchema);
		if (rows.length > 0 && rows.every(({ cardId }) => typeof cardId !== 'string')) throw noCards();
		return rows.flatMap((row): ListedTransaction[] => {
			const { cardId } = row;
			if (typeof cardId !== 'string') return [];
			// Without an ID, only its content tells it from another one.
			const fingerprint = JSON.stringify(row);
			const id = typeof row.id === 'string' ? row.id : fingerprint;
			const time = timeOf(row);
			return [{ id, cardId, createdAt: Number.isNaN(time) ? range.from : time, fingerprint }];
		});
	},

	/** Lists the IDs of all cards, in any order (§4.3). */
	async cards(): Promise<string[]> {
		const cards = await api.list('/cards', {}, Infinity, listedCardSchema);
		return cards.map(({ id }) => id);
	},

	/** Whether the API itself says that it does not have a card (§4.4, §7). */
	isGone: async (cardId: string): Promise<boolean> => await isGone(api, cardId),

	/** Lists all events of a card, newest first (§4.6), as they are: a field of a wrong type must not hide the others. */
	async events(cardId: string): Promise<IDataObject[]> {
		const path = `${cardPath(cardId)}/financial-events`;
		const listed = api.listUnpaginated(path, { custom }, anyEventSchema);
		const events = await listed.catch(ifNotFound(undefined));
		if (events !== undefined) return events;
		// A card that is gone has no events; only the API itself can say so, of the card (§7). Otherwise, the error stands.
		if (!(await isGone(api, cardId).catch(() => false))) return await listed;
		onGone(cardId);
		return [];
	},

	mapConcurrent: api.mapConcurrent.bind(api),
});

const noCards = () =>
	new UserError(
		'No transaction of the API has a cardId, so their events cannot be found',
		'In Card Event, set "Cards" to One and choose the card. In the polling trigger, watch Transactions. Report this to your provider.',
	);

/**
 * Gets the events of all cards that have transactions in a period, newest first; events of one time by card, in the
 * API's order (§4.6). Finds the cards by their transactions (§4.8). Reads those with the newest ones first, and only as
 * many as it needs. Keeps no more events than the limit, and those of the cards being read.
 */
export async function newestEvents(
	source: Pick<CardEventSource, 'transactions' | 'events' | 'mapConcurrent'>,
	{ choice, limit, ...range }: TimeRange & { choice: EventChoice; limit: number },
): Promise<IDataObject[]> {
	const newest = new Map<string, number>();
	for (const { cardId, createdAt } of await source.transactions(range))
		newest.set(cardId, Math.max(newest.get(cardId) ?? createdAt, createdAt));
	const cards = [...newest].sort(([a, x], [b, y]) => y - x || (a > b ? 1 : -1));

	let kept: { event: IDataObject; time: number; cardIndex: number }[] = [];
	const dropOldest = () => {
		// Stable: the events of a card keep their order.
		kept.sort((a, b) => b.time - a.time || a.cardIndex - b.cardIndex);
		kept = kept.slice(0, limit);
	};
	await source.mapConcurrent([...cards.entries()], async ([cardIndex, [cardId, newestAt]]) => {
		const oldestKept = kept.length >= limit ? kept.at(-1) : undefined;
		if (oldestKept !== undefined && newestAt < oldestKept.time) return;
		for (const event of selectEvents(await source.events(cardId), choice)) {
			const time = timeOf(event);
			if (time >= range.from && time < range.to) kept.push({ event, time, cardIndex });
		}
		if (kept.length >= limit) dropOldest();
	});
	dropOldest();
	return kept.map(({ event }) => event);
}

/** Gives `cardName` and `cardLastFour` of a record's card: null if it is not listed, and neither if the cards cannot be listed. */
export type NameCard = (record: { cardId?: unknown }) => IDataObject;

/** One list for each run or poll, which has its own Api. */
const lists = new WeakMap<ListApi, Promise<NameCard>>();

/**
 * Lists the cards.
 *
 * @param report receives why the names are left out, so that they stop nothing else; without it, a failure is an error
 */
export async function nameCards(api: ListApi, report?: (hint: string) => void): Promise<NameCard> {
	const read = async (): Promise<NameCard> => {
		const cards = await api.list('/cards', {}, Infinity, cardSchema);
		const byId = new Map(cards.map((card) => [card.id, card]));
		return ({ cardId }) => {
			const card = byId.get(toText(cardId) ?? '');
			return { cardName: card?.name ?? null, cardLastFour: card?.lastFour ?? null };
		};
	};
	const list = lists.get(api) ?? read();
	lists.set(api, list);
	return await list.catch((error: unknown) => {
		if (report === undefined || !(error instanceof UserError)) throw error;
		const why = error.httpCode === '403' ? 'They need card management.' : error.message;
		report(`Include Card: the names of the cards are left out. ${why}`);
		return () => ({});
	});
}
