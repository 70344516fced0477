import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { createNode } from '../../harness/core/runNode.ts';
import { EventRecorder } from '../../nodes/CardPlatform/events/deduplicate';
import { eventKey, SeenEvents } from '../../nodes/CardPlatform/events/seenEvents';
import { findSharing } from '../../nodes/CardPlatform/events/sharing';

setFlagsFromString('--expose-gc');
const collectGarbage = z.function().parse(runInNewContext('gc'));

const delivery = (eventId: string) => ({ eventId, timestamp: eventId });

test('an event is recognised by its id, whatever the headers say', () => {
	const key = eventKey({ id: 'e1', amount: '1', delivery: delivery('a') });
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(eventKey({ id: 'e1', amount: '2', delivery: delivery('b') })).toBe(key);
	expect(eventKey({ id: 'e2', amount: '1', delivery: delivery('a') })).not.toBe(key);
});

test.each([undefined, null, '', 7, {}])(
	'an event whose id is %j is recognised by its content',
	(id) => {
		const key = eventKey({ id, amount: '1', delivery: delivery('a') });
		expect(eventKey({ id, amount: '1', delivery: delivery('b') })).toBe(key);
		expect(eventKey({ id, amount: '2', delivery: delivery('a') })).not.toBe(key);
	},
);

test("an event's own field delivery is part of its content, and the headers are not", () => {
	const keyOf = (eventId: string, fromEvent: unknown) =>
		eventKey({ amount: '1', delivery: { ...delivery(eventId), fromEvent } });
	expect(keyOf('a', 'x')).toBe(keyOf('b', 'x'));
	expect(keyOf('a', 'x')).not.toBe(keyOf('a', 'y'));
	expect(keyOf('a', 'x')).not.toBe(eventKey({ amount: '1', delivery: delivery('a') }));
});

test('an id that looks like the content of another event is not mistaken for it', () => {
	const event = { amount: '1' };
	expect(eventKey({ id: JSON.stringify(event) })).not.toBe(eventKey(event));
	expect(eventKey({ id: `content:${JSON.stringify(event)}` })).not.toBe(eventKey(event));
});

test('memory holds 10 000 events and forgets the oldest', () => {
	const seen = new SeenEvents();
	seen.add('again');
	for (let each = 1; each < 10_000; each++) seen.add(String(each));
	expect(['again', '1'].map((key) => seen.has(key))).toEqual([true, true]);
	for (const key of ['again', '10000']) seen.add(key);
	expect(['again', '1', '2', '10000'].map((key) => seen.has(key))).toEqual([
		true,
		false,
		true,
		true,
	]);
});

test('triggers also share their memory where n8n does not show the IDs of other nodes', () => {
	const webhook = createNode('cardPlatformTrigger', {});
	const polling = createNode('cardPlatformPollingTrigger', {});
	const next = createNode('cardPlatform', {});
	const groupOf = (node: typeof webhook) =>
		findSharing({
			getNode: () => node,
			getChildNodes: () => [{ ...next, disabled: false }],
			getParentNodes: () => [webhook, polling].map((each) => ({ ...each, disabled: false })),
		});
	expect(groupOf(webhook)).toEqual([webhook.id, webhook.name, polling.name]);
	expect(groupOf(polling)).toEqual([polling.id, webhook.name, polling.name]);
});

describe('the recorder', () => {
	type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

	/** A list as n8n keeps it, whose recordings end when a test ends them. */
	function slowList() {
		const known = new Set<string>();
		const calls: { keys: string[]; window?: number; end: (error?: Error) => void }[] = [];
		const checkProcessedAndRecord: Helpers['checkProcessedAndRecord'] = async (
			items,
			_scope,
			{ maxEntries },
		) => {
			const keys = items.map(String);
			await new Promise<void>((resolve, reject) => {
				calls.push({
					keys,
					window: maxEntries,
					end: (error) => (error ? reject(error) : resolve()),
				});
			});
			const isNew = keys.filter((key) => !known.has(key) && known.add(key));
			return { new: isNew, processed: keys.filter((key) => !isNew.includes(key)) };
		};
		const end = async (index: number, error?: Error) => {
			calls[index]?.end(error);
			await settle();
		};
		return {
			helpers: { checkProcessedAndRecord },
			calls,
			end,
			keys: () => calls.map((c) => c.keys),
		};
	}

	/** A list whose recordings have this result at once. */
	const listThat = (checkProcessedAndRecord: () => Promise<never>): Helpers => ({
		checkProcessedAndRecord,
	});

	/** Lets everything run that waits for nothing. */
	const settle = async () => await new Promise((done) => setImmediate(done));

	let recorder: EventRecorder;
	beforeEach(() => {
		recorder = new EventRecorder();
	});

	/** Starts recording each key in order, without waiting for the results. */
	const record = (each: string[][], helpers: Helpers, workflowId = 'a') =>
		each.map((keys) => recorder.record(workflowId, keys, helpers));

	/** Records a key, and lets its recording begin. */
	async function begin(key: string, helpers: Helpers) {
		const [result] = record([[key]], helpers);
		await settle();
		return { result };
	}

	test('records at once, and everything that arrives during that together', async () => {
		const list = slowList();
		const first = await begin('e1', list.helpers);
		const others = record([['e2'], ['e3']], list.helpers);
		await settle();
		expect(list.keys()).toEqual([['e1']]);
		await list.end(0);
		expect(await first.result).toEqual({ newEntries: ['e1'] });
		expect(list.keys()).toEqual([['e1'], ['e1', 'e2', 'e3']]);
		const [late] = record([['e4']], list.helpers);
		await settle();
		expect(list.calls).toHaveLength(2);
		await list.end(1);
		expect(await Promise.all(others)).toEqual([{ newEntries: ['e2'] }, { newEntries: ['e3'] }]);
		await list.end(2);
		expect(await late).toEqual({ newEntries: ['e4'] });
	});

	test('returns a key to its first caller only, in one recording and over several', async () => {
		const list = slowList();
		const first = await begin('e1', list.helpers);
		const others = record([['e2', 'e1'], ['e2', 'e3', 'e3'], ['e3']], list.helpers);
		await list.end(0);
		expect(list.keys()).toEqual([['e1'], ['e1', 'e2', 'e3']]);
		await list.end(1);
		const results = await Promise.all([first.result, ...others]);
		expect(results.map((result) => result?.newEntries)).toEqual([['e1'], ['e2'], ['e3'], []]);
	});

	test('does not wait for another workflow', async () => {
		const [slow, fast] = [slowList(), slowList()];
		const [waiting] = record([['e1']], slow.helpers, 'a');
		const [other] = record([['e1']], fast.helpers, 'b');
		await settle();
		await fast.end(0);
		expect(await other).toEqual({ newEntries: ['e1'] });
		await slow.end(0);
		expect(await waiting).toEqual({ newEntries: ['e1'] });
	});

	test('keeps as many keys as it records, and 8 000 at least', async () => {
		const list = slowList();
		await begin('e0', list.helpers);
		const many = Array.from({ length: 8_000 }, (_, number) => `e${number}`);
		const results = record(
			[many.map((key) => `a${key}`), many.map((key) => `b${key}`)],
			list.helpers,
		);
		await list.end(0);
		await list.end(1);
		await Promise.all(results);
		expect(list.calls.map(({ window }) => window)).toEqual([8_000, 16_001]);
	});

	test('tells all callers of a recording that it failed, and goes on', async () => {
		const list = slowList();
		const first = await begin('e1', list.helpers);
		const others = record([['e2'], ['e3']], list.helpers);
		await list.end(0);
		await list.end(1, new Error('locked'));
		expect(await first.result).toEqual({ newEntries: ['e1'] });
		expect(await Promise.all(others)).toEqual([
			{ newEntries: ['e2'], failure: 'Error: locked' },
			{ newEntries: ['e3'], failure: 'Error: locked' },
		]);
	});

	test('gives an entry that could not be recorded only once, and records it with the next', async () => {
		const list = slowList();
		const first = await begin('e1', list.helpers);
		await list.end(0, new Error('locked'));
		expect(await first.result).toEqual({ newEntries: ['e1'], failure: 'Error: locked' });
		const [next] = record([['e1', 'e2']], list.helpers);
		await settle();
		await list.end(1);
		expect(await next).toEqual({ newEntries: ['e2'] });
		expect(list.keys()).toEqual([['e1'], ['e1', 'e2']]);
	});

	test('remembers the last 400 entries that could not be recorded', async () => {
		const many = Array.from({ length: 401 }, (_, number) => `e${number}`);
		const broken = listThat(async () => await Promise.reject(new Error('locked')));
		expect(await record([many], broken)[0]).toEqual({ newEntries: many, failure: 'Error: locked' });
		expect(await record([many], broken)[0]).toEqual({
			newEntries: ['e0'],
			failure: 'Error: locked',
		});
	});

	test('gives an entry that could not be recorded to its first caller only', async () => {
		const list = slowList();
		const first = await begin('e1', list.helpers);
		const twins = record([['e2'], ['e2']], list.helpers);
		await list.end(0, new Error('locked'));
		await list.end(1, new Error('locked again'));
		expect(await Promise.all([first.result, ...twins])).toEqual([
			{ newEntries: ['e1'], failure: 'Error: locked' },
			{ newEntries: ['e2'], failure: 'Error: locked again' },
			{ newEntries: [], failure: 'Error: locked again' },
		]);
	});

	test('goes on after a recording that throws before it has begun', async () => {
		const broken = listThat(() => {
			throw new Error('no context');
		});
		const [failed] = record([['e1']], broken);
		expect(await failed).toEqual({ newEntries: ['e1'], failure: 'Error: no context' });
		const list = slowList();
		const next = await begin('e2', list.helpers);
		await list.end(0);
		expect(await next.result).toEqual({ newEntries: ['e2'] });
	});

	describe('with a recording that never ends', () => {
		const never = listThat(async () => await new Promise<never>(() => undefined));
		const failure = 'Error: No response within 60000 ms';
		/** Ends the wait for each recording, in order. */
		let waits: AbortController[] = [];
		beforeEach(() => {
			waits = [];
			jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
				const wait = new AbortController();
				waits.push(wait);
				return wait.signal;
			});
		});
		afterEach(() => jest.restoreAllMocks());

		const endWait = async (index: number) => {
			waits[index]?.abort();
			await settle();
		};

		test('tells its callers, and goes on with the next group', async () => {
			const list = slowList();
			const hanging = await begin('e1', never);
			const [next] = record([['e2']], list.helpers);
			await settle();
			expect(list.calls).toHaveLength(0);
			await endWait(0);
			expect(await hanging.result).toEqual({ newEntries: ['e1'], failure });
			await list.end(0);
			expect(await next).toEqual({ newEntries: ['e2'] });
		});

		test('returns the key of twins to the first only', async () => {
			const runs = record([['e1'], ['e2'], ['e2']], never);
			await settle();
			await endWait(0);
			await endWait(1);
			expect((await Promise.all(runs)).map(({ newEntries }) => newEntries)).toEqual([
				['e1'],
				['e2'],
				[],
			]);
		});
	});

	describe('in a list that another process overwrites', () => {
		/** A list that is read at once, and written when a test says so. */
		function unlockedList() {
			let keys: string[] = [];
			const writes: (() => void)[] = [];
			const checkProcessedAndRecord: Helpers['checkProcessedAndRecord'] = async (items) => {
				const read = keys;
				const added = items.map(String).filter((key) => !read.includes(key));
				await new Promise<void>((resolve) => writes.push(resolve));
				keys = [...read, ...added];
				return { new: added, processed: [] };
			};
			const write = async () => {
				await settle();
				writes.shift()?.();
				await settle();
			};
			return { helpers: { checkProcessedAndRecord }, write, keys: () => keys };
		}

		test('records its last keys again with the next', async () => {
			const list = unlockedList();
			const other = new EventRecorder();
			const recordIn = (by: EventRecorder, key: string) => by.record('a', [key], list.helpers);
			const overlapping = [recordIn(recorder, 'e1'), recordIn(other, 'e2')];
			await list.write();
			await list.write();
			await Promise.all(overlapping);
			expect(list.keys()).toEqual(['e2']);

			const next = recordIn(recorder, 'e3');
			await list.write();
			expect(await next).toEqual({ newEntries: ['e3'] });
			expect(list.keys()).toEqual(['e2', 'e1', 'e3']);
		});

		test('does not give a key again that is no longer in the list', async () => {
			const list = unlockedList();
			const other = new EventRecorder();
			const overlapping = [recorder, other].map(async (by, index) => {
				return await by.record('a', [`e${index}`], list.helpers);
			});
			await list.write();
			await list.write();
			await Promise.all(overlapping);
			expect(list.keys()).toEqual(['e1']);

			const again = recorder.record('a', ['e0', 'e2'], list.helpers);
			await list.write();
			expect(await again).toEqual({ newEntries: ['e2'] });
		});
	});

	test('keeps nothing of an execution whose recording has ended', async () => {
		const recordOnce = async () => {
			const list = slowList();
			const { result } = await begin('e1', list.helpers);
			await list.end(0);
			await result;
			return new WeakRef(list.helpers);
		};
		const helpers = await recordOnce();
		await settle();
		collectGarbage();
		expect(helpers.deref()).toBeUndefined();
	});
});
