import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { UserError } from '../api/userError';
import { toItem } from '../events/item';
import { type Change, listStates, type Records, watch } from './watch';
import type { PollApi, Watched } from './watched';

const DAY = 86_400_000;

/** Records to watch, and what their items are. */
interface DescribedRecords extends Records {
	/** Gives the first fields of an item: what happened. */
	describe: (change: Change, api: PollApi) => IDataObject | Promise<IDataObject>;
}

/** Makes the item of a change; IDs come last. */
async function toChangeItem(
	change: Change & { changeId?: string },
	api: PollApi,
	describe: DescribedRecords['describe'],
): Promise<INodeExecutionData> {
	const { id, cardId, ...others } = change.record;
	const ids = { ...(cardId !== undefined && { cardId }), ...(id !== undefined && { id }) };
	const item = { ...(await describe(change, api)), ...others, ...ids };
	return { json: toItem(item, { source: 'polling', changeId: change.changeId ?? null }) };
}

/** Watches the states of records. */
export function watchRecords(records: DescribedRecords): Watched {
	const { noun, keptDays = 0, isChosen, describe } = records;
	return {
		async find(api, stored, circumstances) {
			const { changes, startsAnew, ...found } = await watch(records, api, stored, circumstances);
			const since = new Date().toISOString();
			if (startsAnew)
				api.report(`Watched since ${since}: ${noun}. What was there then starts nothing.`);
			const items = await Promise.all(changes.map((each) => toChangeItem(each, api, describe)));
			return { ...found, items, failures: [] };
		},

		async fetchNewest(api) {
			const list = async (days: number) =>
				(await listStates(records, api, Date.now() - days * DAY)).reverse();
			// A day often has one, and is listed faster.
			let all = await list(1);
			if (keptDays > 1 && !all.some(isChosen)) all = await list(keptDays);
			const match = all.find(isChosen);
			const shown = match ?? all[0];
			if (shown === undefined)
				throw new UserError(`The API has no ${noun} to show`, 'The published workflow needs none.');
			if (match === undefined)
				api.report(`None of the ${noun} is now as you chose. This is the newest, as an example.`);
			return [await toChangeItem(shown, api, describe)];
		},
	};
}
