import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { timeOf } from '../api/event';
import { objectSchema } from '../api/schemas';
import { UserError } from '../api/userError';
import type { Api } from '../transport/client';

const SECOND = 1_000;
const DAY = 86_400_000;

/** A transaction, as far as finding card events needs it. */
export interface ListedTransaction {
	id: string;
	cardId: string;
	/** Milliseconds since 1970. */
	createdAt: number;
	/** Changes with everything that the list shows of it. */
	fingerprint: string;
}

/** The API, as far as finding card events needs it. */
export interface CardEventSource {
	/**
	 * Lists transactions that were created in a range, both ends included, in any order (§4.8).
	 *
	 * @param limit transactions to get; Infinity for all
	 * @returns `ignoresEnd` if the API sent later ones too, which are left out
	 */
	transactions: (
		range: { from: number; to?: number },
		limit: number,
	) => Promise<{ transactions: ListedTransaction[]; isComplete: boolean; ignoresEnd: boolean }>;
	/** Lists the IDs of all cards, in any order (§4.3). */
	cards: () => Promise<string[]>;
	/**
	 * Lists all events of a card, newest first (§4.6), as they are: a field of a wrong type must not hide
	 * the events of a card.
	 */
	events: (cardId: string) => Promise<IDataObject[]>;
	/** Runs a task for each item, several at the same time; starts none after a failure. */
	mapConcurrent: <T>(items: readonly T[], task: (item: T) => Promise<void>) => Promise<unknown>;
	/** Tells whether a failure means that the API limits the rate. */
	isRateLimit: (error: unknown) => boolean;
	/** Tells whether a failure means that the API itself failed, perhaps for this request alone. */
	isServerError: (error: unknown) => boolean;
}

/** Only what is needed, as there may be many; of any type, like events. */
const transactionSchema = z.object({
	id: z.unknown(),
	cardId: z.unknown(),
	createdAt: z.unknown(),
	status: z.unknown(),
	amount: z.unknown(),
});

const cardSchema = z.object({ id: z.string() });

const toQueryTime = (time: number): string => new Date(time).toISOString();

const isStatus = (error: unknown, status: string): boolean =>
	error instanceof UserError && error.httpCode === status;

/**
 * Makes the source that reads the API.
 *
 * @param custom query parameters that are sent with each request for events, as they are
 */
export function createSource(api: Api, custom: Record<string, string> = {}): CardEventSource {
	const sendsEnd = api.config.parameterNames.createdBefore !== '';
	return {
		async transactions({ from, to = Infinity }, limit) {
			const rows = await api.list(
				'/transactions',
				{
					query: {
						// Whether the ends are included is undocumented.
						createdAfter: toQueryTime(from - SECOND),
						createdBefore: to < Infinity && sendsEnd ? toQueryTime(to + SECOND) : undefined,
					},
				},
				limit + 1,
				{ schema: transactionSchema, name: 'a list of transactions' },
			);
			const transactions = rows.flatMap((row): ListedTransaction[] => {
				const { id, cardId, createdAt, status, amount } = row;
				if (typeof cardId !== 'string') return [];
				const time = timeOf({ createdAt });
				// Without an ID, only its content tells it from another one.
				const fingerprint = JSON.stringify([id, cardId, createdAt, status, amount]);
				return [
					{
						id: typeof id === 'string' ? id : fingerprint,
						cardId,
						createdAt: Number.isNaN(time) ? from : time,
						fingerprint,
					},
				];
			});
			const times = transactions.map(({ createdAt }) => createdAt);
			if (times.some((time) => time < from - DAY)) {
				throw new UserError(
					'The API sent transactions from before the requested time: it does not know the parameter createdAfter',
					'Set the name that the API uses in the Card Platform API credential under Advanced, Parameter Names, e.g. {"createdAfter": "created_after"}.',
				);
			}
			return {
				transactions: transactions.filter(({ createdAt }) => createdAt >= from && createdAt <= to),
				isComplete: rows.length <= limit,
				ignoresEnd: times.some((time) => time > to + DAY),
			};
		},

		async cards() {
			const cards = await api.list('/cards', {}, Infinity, {
				schema: cardSchema,
				name: 'a list of cards',
			});
			return cards.map(({ id }) => id);
		},

		async events(cardId) {
			const path = `/cards/${encodeURIComponent(cardId)}/financial-events`;
			const expected = { schema: objectSchema, name: 'a list of events' };
			return await api.listUnpaginated(path, { custom }, expected).catch((error: unknown) => {
				// A card that is gone has no events.
				if (isStatus(error, '404')) return [];
				throw error;
			});
		},

		mapConcurrent: async (items, task) => await api.mapConcurrent(items, task),

		isRateLimit: (error) => isStatus(error, '429'),

		isServerError: (error) =>
			error instanceof UserError && error.httpCode?.startsWith('5') === true,
	};
}
