import fc from 'fast-check';

import { MAX_CLOCK_DIFFERENCE_MS } from '../../nodes/CardPlatform/api/assumptions';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import {
	type Change,
	compareRecords,
	type Records,
	type WatchState,
} from '../../nodes/CardPlatform/polling/compareRecords';
import type { PollApi, PollCircumstances } from '../../nodes/CardPlatform/polling/types';
import { happens } from '../support/happens';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const RECORDS = 6;
const record = fc.nat(RECORDS - 1);
const STATES = ['pending', 'settled', 'declined'];
const CHOSEN = ['settled', 'declined'];
const state = fc.constantFrom(...STATES);

/** A record as the API lists it. */
interface Row {
	id: string;
	status: string;
	createdAt: string;
}

const rowOf = (id: string, status: string, time: number): Row => ({
	id,
	status,
	createdAt: new Date(time).toISOString(),
});

const timeOf = ({ createdAt }: Row) => Date.parse(createdAt);

const rarely = fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean());

/** Something that happens: to the records, the API or n8n. */
const step = fc.oneof(
	happens(3, 'appears', { state, ago: fc.oneof(fc.constant(0), fc.nat(3 * DAY)) }),
	happens(5, 'changes', { record, state }),
	// From then on, the list lacks a record, or all that are there now.
	happens(1, 'hidden', { hidden: fc.oneof(record, fc.constantFrom('none', 'all')) }),
	happens(7, 'poll', {
		pause: fc.oneof({ weight: 4, arbitrary: fc.nat(HOUR) }, fc.nat(30 * HOUR)),
		fails: rarely,
		/** Whether a key of another account is in the credential. */
		isOther: rarely,
	}),
	happens(2, 'crash', {
		/** What n8n had not done yet: create the executions of the newest state, or store it. */
		loses: fc.constantFrom('nothing', 'executions', 'state'),
		downtime: fc.integer({ min: 0, max: 30 * HOUR }),
	}),
	happens(1, 'clock', {
		skew: fc.oneof(
			fc.integer({ min: -25 * HOUR, max: 25 * HOUR }),
			fc.integer({ min: -40 * DAY, max: 40 * DAY }),
		),
	}),
	happens(1, 'lookBack', { days: fc.constantFrom(2, 5, 9) }),
);

const scenario = fc.record({
	before: fc.array(fc.record({ state, ago: fc.nat(4 * DAY) }), { minLength: 1, maxLength: 4 }),
	steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
	skew: fc.integer({ min: -25 * HOUR, max: 25 * HOUR }),
	mayReturn: fc.boolean(),
	/** Whether the list has records from before the window. */
	listsAll: fc.boolean(),
});

/** A moment of n8n: what it stores, and what the polls have seen until then. */
interface Moment {
	stored: WatchState | undefined;
	/** States by ID. */
	view: ReadonlyMap<string, string>;
	/** States that n8n has stored until then: between two of them, a record is emitted once. */
	count: number;
	/** What was created before was there before the watch began. */
	since: number;
}

/** n8n with the trigger, and beside it what the test expects of it. */
class FakeN8n {
	readonly records: Row[] = [];

	hidden: ReadonlySet<string> = new Set();

	now = 1_800_000_000_000;

	skew = 0;

	lookBack = 5;

	mayReturn = true;

	listsAll = false;

	private leastLookBack = Infinity;

	private firstFrom = 0;

	/** Changes that polls saw: each is to run once. */
	readonly expected = new Set<string>();

	/** Changes whose executions were lost, and which the next poll could not see any more. */
	readonly optional = new Set<string>();

	/** Changes that ran, by their keys. */
	readonly ran = new Map<string, string>();

	private memory: Moment = { stored: undefined, view: new Map(), count: 0, since: 0 };

	/** In the database: the newest, and the one before. */
	private database: [Moment, Moment] = [this.memory, this.memory];

	/** What the newest state that was stored came with. */
	private newest: string[] = [];

	private isFirst = true;

	appears(appeared: { state: string; ago: number }): void {
		const id = `r${this.records.length}`;
		const time = this.now - appeared.ago;
		this.records.push(rowOf(id, appeared.state, time));
	}

	async poll(request: { fails: boolean; isOther: boolean }): Promise<void> {
		const before = JSON.stringify(this.memory.stored);
		// While nothing is known, another account looks like one that was quiet.
		const { records: known = [] } = this.memory.stored ?? {};
		if (request.isOther && known.length === 0) return;
		const { view, count, since } = this.memory;
		let listed: Row[] = [];
		this.leastLookBack = Math.min(this.leastLookBack, this.lookBack);
		const records: Records = {
			noun: 'transactions',
			...(this.mayReturn ? {} : { rememberedDays: this.lookBack }),
			isChosen: ({ state }: Change) => CHOSEN.includes(state),
			describe: () => ({}),
			list: async (_, from) => {
				if (request.fails) throw new UserError('status 500', '');
				if (request.isOther) return await Promise.resolve([{ ...this.other(view) }]);
				if (this.memory.stored === undefined) this.firstFrom = from;
				this.checkWindow(from);
				const all = this.records.filter(({ id }) => !this.hidden.has(id)).reverse();
				listed = all.filter((row) => timeOf(row) >= from).map((row) => ({ ...row }));
				return (this.listsAll ? all : listed).map((row) => ({ ...row }));
			},
		};
		const circumstances: PollCircumstances = {
			nodeId: 'n',
			baseUrl: 'x',
			replaysNewest: this.isFirst,
			deadline: Infinity,
			maxItems: Infinity,
			now: () => this.now + this.skew,
		};
		const wasBaseline = this.memory.stored === undefined;
		const result = await compareRecords(
			records,
			{} as PollApi,
			this.memory.stored,
			circumstances,
		).catch((error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			if (!/^status 500|shows none/.test(error.message)) throw error;
		});
		expect(JSON.stringify(this.memory.stored)).toBe(before);
		if (result === undefined) return;
		if (wasBaseline) expect(result.changes).toEqual([]);

		if (this.isFirst) this.forgive(listed);
		const seen = new Map(view);
		for (const row of listed) {
			const { id, status: now } = row;
			const before = view.get(id);
			const wasThere = wasBaseline || (before === undefined && timeOf(row) < since);
			if (before !== now && CHOSEN.includes(now) && !wasThere)
				this.expected.add(`${id} ${count} ${now}`);
			seen.set(id, now);
		}
		this.isFirst = false;
		const stored: unknown = JSON.parse(JSON.stringify(result.state));
		const isStored = result.mustStore || result.changes.length > 0;
		this.memory = {
			stored: stored as WatchState,
			view: seen,
			count: count + Number(isStored),
			since: wasBaseline ? this.now + this.skew - MAX_CLOCK_DIFFERENCE_MS : since,
		};
		const [first = 0] = result.state.records.map(([, day]) => day).sort((x, y) => x - y);
		if (first > 0) expect(first).toBeGreaterThanOrEqual(result.state.horizon);
		if (!isStored) {
			// What a restart would forget must not be able to come again.
			const changed = [...this.database[0].view].filter(([id, was]) => seen.get(id) !== was);
			if (this.mayReturn) expect(changed).toEqual([]);
			return;
		}
		this.database = [this.memory, this.database[0]];
		this.newest = result.changes.map(({ changeId }) => changeId);
		for (const { id, changeId, state: now } of result.changes) {
			const name = `${id} ${count} ${now}`;
			const known = this.ran.get(changeId);
			if (known !== undefined) continue;
			// A replay has the name of the change that it repeats.
			this.ran.set(changeId, this.lost.get(changeId) ?? name);
			this.lost.delete(changeId);
		}
	}

	/** Changes whose executions were lost, by their keys. */
	private readonly lost = new Map<string, string>();

	crash(loses: string): void {
		if (loses === 'executions') {
			for (const changeId of this.newest) {
				const name = this.ran.get(changeId);
				if (name === undefined) continue;
				this.ran.delete(changeId);
				this.lost.set(changeId, name);
			}
		}
		if (loses === 'state') this.database = [this.database[1], this.database[1]];
		this.newest = [];
		[this.memory] = this.database;
		this.database = [this.memory, this.memory];
		this.isFirst = true;
	}

	/** A change whose execution was lost cannot be repeated if the record has changed again, or is not listed. */
	private forgive(listed: Row[]): void {
		for (const name of this.lost.values()) {
			const [id, , was] = name.split(' ');
			if (listed.some((each) => each.id === id && each.status === was)) continue;
			this.expected.delete(name);
			this.optional.add(name);
		}
	}

	/** Whatever n8n's clock says, the window is as long as it was chosen, but for a day at its beginning. */
	private checkWindow(from: number): void {
		const newest = Math.max(...this.records.map(timeOf));
		const latest = newest - this.leastLookBack * DAY + 26 * HOUR;
		expect(from).toBeLessThanOrEqual(Math.max(this.firstFrom, latest));
	}

	/** Of another account: it has been there for longer than the newest that is known. */
	private other(view: ReadonlyMap<string, string>): Row {
		const known = this.records.filter(({ id }) => view.has(id)).map(timeOf);
		return rowOf('other', 'settled', Math.max(...known) - 2.5 * DAY);
	}
}

test('each change that a poll could see is emitted once, and the baseline never', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ before, steps, ...given }) => {
			const n8n = new FakeN8n();
			Object.assign(n8n, given);
			for (const each of before) n8n.appears(each);
			await n8n.poll({ fails: false, isOther: false });
			for (const each of steps) {
				if (each.kind === 'appears') n8n.appears(each);
				else if (each.kind === 'changes') {
					const changed = n8n.records[each.record];
					if (changed !== undefined) changed.status = each.state;
				} else if (each.kind === 'hidden') {
					const { hidden } = each;
					const all = n8n.records.map(({ id }) => id);
					n8n.hidden = new Set(hidden === 'all' ? all : hidden === 'none' ? [] : [`r${hidden}`]);
				} else if (each.kind === 'crash') {
					n8n.crash(each.loses);
					// Two failures at once are one too many: what the first list lacks may run twice.
					if (each.loses === 'state') n8n.hidden = new Set();
					n8n.now += each.downtime;
				} else if (each.kind === 'clock') n8n.skew = each.skew;
				else if (each.kind === 'lookBack') n8n.lookBack = each.days;
				else {
					n8n.now += each.pause;
					await n8n.poll(each);
				}
			}
			n8n.hidden = new Set();
			for (let more = 0; more < 12; more++) await n8n.poll({ fails: false, isOther: false });
			expect(new Set(n8n.ran.values()).size).toBe(n8n.ran.size);
			const ran = [...n8n.ran.values()].filter((each) => !n8n.optional.has(each));
			const expected = [...n8n.expected].filter((each) => !n8n.optional.has(each));
			expect(ran.sort()).toEqual(expected.sort());
		}),
		{ numRuns: 300 },
	);
});
