import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { DAY } from '../api/dates';
import { timeOf } from '../api/event';
import { inReadingOrder } from '../api/schemas';
import { UserError } from '../api/userError';
import { toText } from '../api/values';
import { toItem } from '../events/item';
import {
	checkLength,
	hash,
	openState,
	otherAccount,
	startsOverHint,
	type StateName,
	toSet,
} from './state';
import type { PollApi, PollCircumstances, Watched } from './types';

const VERSION = 1;

/** What is remembered of a record; the day of its time, since 1970. */
interface KnownRecord {
	state: string;
	day: number;
}

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
	/** What decides which state a record has: with something else, the watch starts over. */
	identity?: (config: ApiConfig) => unknown[];
	/** For how many days before the newest record a record is remembered; absent: for ever. */
	rememberedDays?: number;
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
	version: z.literal(VERSION),
	/** ID of the node; n8n stores the state under its name, which another node can get. */
	nodeId: z.string(),
	baseUrl: z.string(),
	watched: z.string(),
	/** The first day of the window, since 1970. Never moves back. */
	horizon: count,
	/** Records created earlier were there before the watch began. In milliseconds since 1970. */
	since: count,
	/** Hashes of the records, by state and day: a list, as the API may have a status `__proto__`. */
	records: z.array(z.tuple([z.string(), count, z.string()])),
	/** A part of the ID of each change, so that the same change of a record later has another one. Raised at each start, too: n8n may have lost the state with the newest round. */
	round: count,
	/** What the newest poll emitted: hash of the record, state before (null: new), and ID of the change. */
	emitted: z.array(z.tuple([z.string(), z.string().nullable(), z.string()])),
});

/** What the trigger keeps between polls, as n8n stores it. */
export type WatchState = z.infer<typeof stateSchema>;

/** A listed record that may start the workflow. */
interface Candidate extends Change {
	/** Its hash. */
	key: string;
	/** The day of its time, since 1970. */
	day: number;
	/** The same if it is emitted again. */
	changeId: string;
	isReplay: boolean;
}

/** The status of a record. One that is listed without it has not changed. */
export function statusOf({ status }: IDataObject, last = ''): string {
	const text = toText(status);
	return text === undefined || text === '' ? last : text;
}

/** Lists records with their states, oldest first; `known` has their states in the last poll, by hash. */
async function listStates(
	{
		noun,
		list,
		timeField = 'createdAt',
		stateOf = (record, _, known) => statusOf(record, known?.state).toLowerCase(),
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
	// Those without a time come last.
	const rank = ({ time }: Change) => (Number.isNaN(time) ? Number.MAX_VALUE : time);
	changes.sort((a, b) => rank(a) - rank(b));
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
 * state even without a change.
 * @throws what the list throws; then nothing is to be stored
 */
export async function compareRecords(
	records: Records,
	api: PollApi,
	stored: unknown,
	{ nodeId, baseUrl, replaysNewest, now, maxItems }: PollCircumstances,
) {
	const { noun, rememberedDays = Infinity, identity = () => [] } = records;
	const startedAt = now();
	const watched = JSON.stringify([noun, ...identity(api.config)]);
	const own = { version: VERSION, nodeId, baseUrl, watched };
	const begin = () => newState(own, rememberedDays, startedAt);
	const { state, ...opened } = openState(stored, stateSchema, own, begin);
	const known = unpack(state.records);
	const listed = await listStates(records, api, state.horizon * DAY, known);
	refuseOtherAccount(noun, listed, known);

	const emitted = replaysNewest ? state.emitted : [];
	const candidates = toCandidates(listed, state, emitted, startedAt);
	const all = opened.isNew ? [] : candidates.filter(startsWorkflow(records, state));
	// The next poll finds them again, as long as they count as they were before.
	const postponed = new Set(all.filter(({ isReplay }) => !isReplay).slice(maxItems));
	const isSeen = (candidate: Candidate) => !postponed.has(candidate);
	const changes = all.filter(isSeen);
	const seen = candidates.filter(isSeen).map((each): [string, KnownRecord] => [each.key, each]);
	if (postponed.size === 0) moveWindow(state, candidates, rememberedDays, startedAt);
	state.records = pack(new Map([...known, ...seen]), state.horizon);
	if (replaysNewest || changes.length > 0) state.round = Math.max(startedAt, state.round + 1);
	state.emitted = changes.map(({ key, before, changeId }) => [key, before ?? null, changeId]);
	checkLength(state, noun, 'For transactions, lower "Look Back (Days)".');
	// What is remembered for ever may return to a state: then it must not seem to have kept it.
	const mayReturn = rememberedDays === Infinity;
	const mustStore = opened.isNew || replaysNewest || (mayReturn && candidates.some(isChange));
	const endedEarly = postponed.size > 0 ? 'events' : undefined;
	return { state, changes, mustStore, endedEarly, opened };
}

/** The window follows the newest record. The clock may be wrong, and so may a time ahead of it. */
function moveWindow(state: WatchState, records: Candidate[], days: number, now: number): void {
	for (const { day } of records)
		state.horizon = Math.max(state.horizon, Math.min(day, toDay(now)) - days);
}

function newState(own: Required<StateName>, rememberedDays: number, now: number): WatchState {
	const since = now - MAX_CLOCK_DIFFERENCE_MS;
	const horizon = Math.max(0, toDay(Math.min(since, now - rememberedDays * DAY)));
	return { ...own, version: VERSION, horizon, since, records: [], round: now, emitted: [] };
}

/** New records alone prove nothing: the API may no longer list the known ones. An old one would have been listed before. */
function refuseOtherAccount(noun: string, listed: Change[], known: Map<string, KnownRecord>): void {
	const newest = [...known.values()].reduce((day, each) => Math.max(day, each.day), -Infinity);
	const isOld = ({ record }: Change) => timeOf(record) < newest * DAY - MAX_CLOCK_DIFFERENCE_MS;
	if (listed.some(isOld) && listed.every(({ before }) => before === undefined))
		throw otherAccount(noun);
}

/** @param emitted what is to be emitted again: its records count as they were before */
function toCandidates(
	listed: Change[],
	{ nodeId, watched, round, horizon }: WatchState,
	emitted: WatchState['emitted'],
	now: number,
): Candidate[] {
	const replays = new Map(emitted.map((each) => [each[0], each]));
	const candidates = listed.map((each): Candidate => {
		const { id, state, time } = each;
		const key = hash(id);
		const day = toDay(Number.isNaN(time) ? now : time);
		// A record that has changed again is not what was emitted.
		const replay = each.before === state ? replays.get(key) : undefined;
		const [, before, changeId] = replay ?? [];
		const name = hash(JSON.stringify([nodeId, watched, id, state, round]));
		const last = replay ? (before ?? undefined) : each.before;
		const isReplay = replay !== undefined;
		return { ...each, key, day, before: last, changeId: changeId ?? name, isReplay };
	});
	return candidates.filter(({ day }) => day >= horizon);
}

/** Whether a record has another state than before; a new one has not. */
const isChange = ({ before, state }: Change): boolean => before !== undefined && before !== state;

/**
 * Whether a record became what was chosen. One that is new, or was always listed without its status, must not have been
 * there before the watch began.
 */
const startsWorkflow =
	({ isChosen }: Records, { since }: WatchState) =>
	(change: Change): boolean => {
		const wasKnown = change.before !== undefined && change.before !== '';
		const isNews = wasKnown ? isChange(change) : !(timeOf(change.record) < since);
		return isNews && isChosen(change);
	};

const toDay = (time: number): number => Math.floor(time / DAY);

function unpack(records: WatchState['records']): Map<string, KnownRecord> {
	const known = new Map<string, KnownRecord>();
	for (const [state, day, hashes] of records)
		for (const key of toSet(hashes)) known.set(key, { state, day });
	return known;
}

/** Eight characters for a record. */
function pack(known: Map<string, KnownRecord>, horizon: number): WatchState['records'] {
	const groups = new Map<string, WatchState['records'][number]>();
	for (const [key, { state, day }] of known) {
		if (day < horizon) continue;
		const name = `${day} ${state}`;
		const [, , hashes] = groups.get(name) ?? ['', 0, ''];
		groups.set(name, [state, day, hashes + key]);
	}
	return [...groups.values()];
}

/** Makes the item of a change: what happened, when it was noticed, and the record. */
async function toChangeItem(
	change: Change & { changeId?: string },
	api: PollApi,
	describe: Records['describe'],
): Promise<INodeExecutionData> {
	const detectedAt = new Date().toISOString();
	const found = { ...(await describe(change, api)), detectedAt };
	const item = { ...found, ...inReadingOrder(change.record) };
	return { json: toItem(item, { source: 'polling', changeId: change.changeId ?? null }) };
}

/** Watches the states of records. */
export function watchRecords(records: Records): Watched {
	const { noun, rememberedDays = 0, isChosen, describe } = records;
	return {
		async find(api, stored, circumstances) {
			const found = await compareRecords(records, api, stored, circumstances);
			const { changes, opened, ...others } = found;
			if (opened.startsOver) api.report(startsOverHint(noun, circumstances.now()));
			const items = await Promise.all(changes.map((each) => toChangeItem(each, api, describe)));
			return { ...others, items, failures: opened.loss ? [opened.loss] : [] };
		},

		async fetchNewest(api) {
			const list = async (days: number) =>
				(await listStates(records, api, Date.now() - days * DAY)).reverse();
			// A day often has one, and is listed faster.
			let all = await list(1);
			if (rememberedDays > 1 && !all.some(isChosen)) all = await list(rememberedDays);
			const match = all.find(isChosen);
			const shown = match ?? all[0];
			if (shown === undefined)
				throw new UserError(
					`The API has no ${noun} to show`,
					'Only this test needs a record. You can publish without one.',
				);
			if (match === undefined)
				api.report(`Nothing matches now (${noun}). This is the newest, as an example.`);
			return [await toChangeItem(shown, api, describe)];
		},
	};
}
