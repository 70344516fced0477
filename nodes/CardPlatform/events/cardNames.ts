import type { IDataObject } from 'n8n-workflow';

import { cardSchema } from '../api/schemas';
import { UserError } from '../api/userError';
import { toText } from '../api/values';
import type { ListApi } from './cardEvents';

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
