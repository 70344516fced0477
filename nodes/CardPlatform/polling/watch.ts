import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { timeOf } from '../api/event';
import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import { toText } from '../api/values';
import { toItem } from '../events/item';
import { checkLength, hash, otherAccount, readState, toSet } from './state';
import type { PollApi, PollCircumstances, Watched } from './watched';

const DAY = 86_400_000;

/** What is remembered of a record; the day of its time, since 1970. */
interface KnownRecord {
	state: string;
	day: number;
}

/** A listed record and its state. */
export interface Change {
	id: string;
	record: IDataObject;
	/** In milliseconds since 1970; NaN if it has none. */
	time: number;
	state: string;
	/** Its state in the poll before; undefined if it is new. */
	before: string | undefined;
}

/** Records to watch, their states, and which of these start the workflow. */
export interface Records {
	/** What they are called. */
	noun: string;
	/** What decides which state a record has: with something else, the watch starts anew. */
	identity?: (config: ApiConfig) => unknown[];
	/**
	 * For how many days before the newest record a record is remembered. By default, for ever: it may then return to a
	 * state, so changes that are not emitted are stored, too.
	 */
	keptDays?: number;
	/** Lists the records from a moment on; the balance has no ID. */
	list: (api: PollApi, from: number) => Promise<(IDataObject & { id?: string })[]>;
	/** The field with the time of a record: by default, when it was created. */
	timeField?: string;
	/** By default, the status. */
	stateOf?: (record: IDataObject, time: number, known?: KnownRecord) => string;
	isChosen: (change: Change) => boolean;
	/** Gives the first fields of an item: what happened. */
	describe: (change: Change, api: PollApi) => IDataObject | Promise<IDataObject>;
}

const count = z.number().finite();

const stateSchema = z.object({
	version: z.literal(1),
	/** ID of the node; n8n stores the state under its name, which another node can get. */
	nodeId: z.string(),
	baseUrl: z.string(),
	watched: z.string(),
	/** The first day of the window, since 1970. Never moves back. */
	horizon: count,
	/** Records created earlier were there before the watch began. In milliseconds since 1970. */
	since: count,
	/** Hashes of the records, by state and day. */
	records: z.record(z.string(), z.record(z.string(), z.string())),
	/** Tells a change from an equal one that comes later. New after a start, because n8n may have gone back to an older state. */
	round: count,
	/** What the newest poll emitted: hash of the record, state before (null: new), and ID of the change. */
	emitted: z.array(z.tuple([z.string(), z.string().nullable(), z.string()])),
});

/** What the trigger keeps between polls, as n8n stores it. */
export type WatchState = z.infer<typeof stateSchema>;

/** Lists records with their states, oldest first; `known` has their states in the last poll, by hash. */
async function listStates(
	{
		noun,
		list,
		timeField = 'createdAt',
		stateOf = ({ status }) => toText(status)?.toLowerCase() ?? '',
	}: Records,
	api: PollApi,
	from: number,
	known?: Map<string, KnownRecord>,
): Promise<Change[]> {
	const changes = (await list(api, from)).map((record) => {
		const { id = noun } = record;
		const time = timeOf({ createdAt: record[timeField] });
		const last = known?.get(hash(id));
		return { id, record, time, state: stateOf(record, time, last), before: last?.state };
	});
	changes.sort((a, b) => a.time - b.time);
	// An API may list two records with one ID: the newest is compared.
	return [...new Map(changes.map((each) => [each.id, each])).values()];
}

/**
 * Compares the state of each record with the one that the last poll saw, and finds those that became what was chosen.
 * Of two changes between two polls, the first is not seen. The first poll only remembers. A record that a list lacks is
 * remembered while it belongs in the window: the next list may have it again.
 *
 * @param stored what n8n has stored of the last poll
 * @returns the changes, oldest record first: one that is emitted again keeps its ID. `mustStore`: n8n must store the
 * state even without a change. `startsAnew`: the stored state is of something else.
 * @throws what the list throws; then nothing is to be stored
 */
export async function watch(
	records: Records,
	api: PollApi,
	stored: unknown,
	{ nodeId, baseUrl, replaysNewest, now }: PollCircumstances,
) {
	const { noun, identity, keptDays = Infinity, isChosen } = records;
	const watched = JSON.stringify([noun, ...(identity?.(api.config) ?? [])]);
	const startedAt = now();
	const begin = startedAt - MAX_CLOCK_DIFFERENCE_MS;
	// Without it, the state is one of card events.
	const isOfWatch = isDataObject(stored) && 'watched' in stored;
	const previous = isOfWatch
		? readState(stored, stateSchema, { nodeId, baseUrl, watched })
		: undefined;
	const { since = begin, round = startedAt, emitted: newest = [] } = previous ?? {};
	const first =
		previous?.horizon ?? Math.max(0, toDay(Math.min(begin, startedAt - keptDays * DAY)));
	const known = unpack(previous?.records ?? {});
	const replays = new Map((replaysNewest ? newest : []).map((each) => [each[0], each]));

	const listed = await listStates(records, api, first * DAY, known);
	const newestKnown = [...known.values()].reduce((day, each) => Math.max(day, each.day), -Infinity);
	// New records alone prove nothing: the API may no longer list the known ones. An old one would have been listed before.
	const isOld = ({ record }: Change) =>
		timeOf(record) < newestKnown * DAY - MAX_CLOCK_DIFFERENCE_MS;
	if (listed.some(isOld) && listed.every(({ before }) => before === undefined))
		throw otherAccount(noun);

	const changes: (Change & { changeId: string })[] = [];
	const emitted: WatchState['emitted'] = [];
	let [horizon, oldestEmitted, hasUnemitted] = [first, Infinity, false];
	for (const each of listed) {
		const { id, time, state, before: last } = each;
		const key = hash(id);
		const day = toDay(Number.isNaN(time) ? startedAt : time);
		if (day < first) continue;
		const name = hash(JSON.stringify([nodeId, watched, id, state, round]));
		// A record that has changed again is not what was emitted.
		const replay = last === state ? replays.get(key) : undefined;
		const [, before = last ?? null, changeId = name] = replay ?? [];
		const change = { ...each, before: before ?? undefined, changeId };
		const wasThere = !previous || (last === undefined && timeOf(each.record) < since);
		if (before !== state && !wasThere && isChosen(change)) {
			changes.push(change);
			emitted.push([key, before, changeId]);
			// It stays in the window, as the next poll may have to emit it again.
			oldestEmitted = Math.min(oldestEmitted, day);
		} else if (last !== undefined && last !== state) hasUnemitted = true;
		known.set(key, { state, day });
		// The clock may be wrong, and so may a time ahead of it.
		horizon = Math.max(horizon, Math.min(day, toDay(startedAt)) - keptDays);
	}
	horizon = Math.max(first, Math.min(horizon, oldestEmitted));
	const mustStore = !previous || replaysNewest || (keptDays === Infinity && hasUnemitted);
	const state: WatchState = {
		version: 1,
		nodeId,
		baseUrl,
		watched,
		horizon,
		since: known.size === 0 ? begin : since,
		records: pack(known, horizon),
		round: replaysNewest || changes.length > 0 ? Math.max(startedAt, round + 1) : round,
		emitted,
	};
	checkLength(state, noun, 'For transactions, lower "Look Back (Days)".');
	return { state, changes, mustStore, startsAnew: !previous && stored !== undefined };
}

const toDay = (time: number): number => Math.floor(time / DAY);

function unpack(records: WatchState['records']): Map<string, KnownRecord> {
	const known = new Map<string, KnownRecord>();
	for (const [state, days] of Object.entries(records))
		for (const [day, hashes] of Object.entries(days))
			for (const key of toSet(hashes)) known.set(key, { state, day: Number(day) });
	return known;
}

/** Eight characters for a record. */
function pack(known: Map<string, KnownRecord>, horizon: number): WatchState['records'] {
	const records: WatchState['records'] = {};
	for (const [key, { state, day }] of known) {
		if (day < horizon) continue;
		const days = (records[state] ??= {});
		days[day] = (days[day] ?? '') + key;
	}
	return records;
}

/** Makes the item of a change; IDs come last. */
async function toChangeItem(
	change: Change & { changeId?: string },
	api: PollApi,
	describe: Records['describe'],
): Promise<INodeExecutionData> {
	const { id, cardId, ...others } = change.record;
	const ids = { ...(cardId !== undefined && { cardId }), ...(id !== undefined && { id }) };
	const item = { ...(await describe(change, api)), ...others, ...ids };
	return { json: toItem(item, { source: 'polling', changeId: change.changeId ?? null }) };
}

/** Watches the states of records. */
export function watchRecords(records: Records): Watched {
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
				throw new UserError(
					`The API has no ${noun} to show`,
					'Only this test needs a record; the published workflow does not.',
				);
			if (match === undefined)
				api.report(`Nothing is as you chose now (${noun}). This is the newest, as an example.`);
			return [await toChangeItem(shown, api, describe)];
		},
	};
}
