import { eventKey } from '../../nodes/CardPlatform/webhook/eventKey';
import { GroupCommit } from '../../nodes/CardPlatform/webhook/groupCommit';
import { SeenEvents } from '../../nodes/CardPlatform/webhook/seenEvents';

const delivery = (eventId: string) => ({ eventId, timestamp: eventId });

test('an event is known by its id, whatever the headers said', () => {
	const key = eventKey({ id: 'e1', amount: '1', delivery: delivery('a') });
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(eventKey({ id: 'e1', amount: '2', delivery: delivery('b') })).toBe(key);
	expect(eventKey({ id: 'e2', amount: '1', delivery: delivery('a') })).not.toBe(key);
});

test.each([undefined, null, '', 7, {}])('an event whose id is %j is known by its content', (id) => {
	const key = eventKey({ id, amount: '1', delivery: delivery('a') });
	expect(eventKey({ id, amount: '1', delivery: delivery('b') })).toBe(key);
	expect(eventKey({ id, amount: '2', delivery: delivery('a') })).not.toBe(key);
});

test("an event's own delivery is a part of its content, what the headers say is not", () => {
	const keyOf = (eventId: string, fromEvent: unknown) =>
		eventKey({ amount: '1', delivery: { ...delivery(eventId), fromEvent } });
	expect(keyOf('a', 'x')).toBe(keyOf('b', 'x'));
	expect(keyOf('a', 'x')).not.toBe(keyOf('a', 'y'));
	expect(keyOf('a', 'x')).not.toBe(eventKey({ amount: '1', delivery: delivery('a') }));
});

test('an id that looks like the content of another event is not taken for it', () => {
	const event = { amount: '1' };
	expect(eventKey({ id: JSON.stringify(event) })).not.toBe(eventKey(event));
	expect(eventKey({ id: `content:${JSON.stringify(event)}` })).not.toBe(eventKey(event));
});

test('memory holds so many events and forgets the oldest', () => {
	const seen = new SeenEvents(2);
	for (const key of ['a', 'b', 'a', 'c']) seen.add(key);
	expect(['a', 'b', 'c'].map((key) => seen.has(key))).toEqual([true, false, true]);
});

test('memory holds 10 000 events unless told', () => {
	const seen = new SeenEvents();
	for (let each = 0; each <= 10_000; each++) seen.add(String(each));
	expect([seen.has('0'), seen.has('1'), seen.has('10000')]).toEqual([false, true, true]);
});

describe('the group commit', () => {
	/** A list as n8n keeps it, whose recordings end when they are told to. */
	function slowList() {
		const known = new Set<string>();
		const calls: { names: string[]; end: (error?: Error) => void }[] = [];
		const record = async (names: string[]) => {
			await new Promise<void>((resolve, reject) => {
				calls.push({ names, end: (error) => (error ? reject(error) : resolve()) });
			});
			return names.filter((name) => !known.has(name) && known.add(name));
		};
		return { record, calls, names: () => calls.map((call) => call.names) };
	}

	/** Lets everything run that waits for nothing. */
	const settle = async () => await new Promise((done) => setImmediate(done));

	test('records at once, and what comes meanwhile together', async () => {
		const commit = new GroupCommit();
		const list = slowList();
		const results = ['e1', 'e2', 'e3'].map((name) => commit.run('a', [name], list.record));
		expect(list.names()).toEqual([['e1']]);
		list.calls[0]?.end();
		expect(await results[0]).toEqual(['e1']);
		expect(list.names()).toEqual([['e1'], ['e2', 'e3']]);
		const late = commit.run('a', ['e4'], list.record);
		expect(list.calls).toHaveLength(2);
		list.calls[1]?.end();
		expect(await Promise.all(results)).toEqual([['e1'], ['e2'], ['e3']]);
		await settle();
		list.calls[2]?.end();
		expect(await late).toEqual(['e4']);
	});

	test('gives a name to the first who brings it, in one recording and over several', async () => {
		const commit = new GroupCommit();
		const list = slowList();
		const brought = [['e1'], ['e2', 'e1'], ['e2', 'e3', 'e3'], ['e3']];
		const results = brought.map((names) => commit.run('a', names, list.record));
		list.calls[0]?.end();
		await settle();
		expect(list.names()).toEqual([['e1'], ['e2', 'e1', 'e3']]);
		list.calls[1]?.end();
		expect(await Promise.all(results)).toEqual([['e1'], ['e2'], ['e3'], []]);
	});

	test('does not wait for another place', async () => {
		const commit = new GroupCommit();
		const [slow, fast] = [slowList(), slowList()];
		const waiting = commit.run('a', ['e1'], slow.record);
		const other = commit.run('b', ['e1'], fast.record);
		fast.calls[0]?.end();
		expect(await other).toEqual(['e1']);
		slow.calls[0]?.end();
		expect(await waiting).toEqual(['e1']);
	});

	test('records a group by the function of its newest, so that a changed window counts', async () => {
		const commit = new GroupCommit();
		const [old, newer] = [slowList(), slowList()];
		const results = [old, old, newer].map(({ record }, index) =>
			commit.run('a', [`e${index}`], record),
		);
		old.calls[0]?.end();
		await settle();
		expect([old.names(), newer.names()]).toEqual([[['e0']], [['e1', 'e2']]]);
		newer.calls[0]?.end();
		expect(await Promise.all(results)).toEqual([['e0'], ['e1'], ['e2']]);
	});

	test('tells all whom a recording was to serve that it failed, and goes on', async () => {
		const commit = new GroupCommit();
		const list = slowList();
		const results = ['e1', 'e2', 'e3'].map((name) => commit.run('a', [name], list.record));
		const settled = Promise.allSettled(results);
		list.calls[0]?.end();
		await results[0];
		list.calls[1]?.end(new Error('locked'));
		const outcomes = (await settled).map((result) =>
			result.status === 'fulfilled' ? result.value : String(result.reason),
		);
		expect(outcomes).toEqual([['e1'], 'Error: locked', 'Error: locked']);
		const next = commit.run('a', ['e2'], list.record);
		list.calls[2]?.end();
		expect(await next).toEqual(['e2']);
	});

	test('tells only the first of twins that the recording failed, so that one of them passes', async () => {
		const commit = new GroupCommit();
		const list = slowList();
		const results = ['e1', 'e2', 'e2'].map((name) => commit.run('a', [name], list.record));
		const settled = Promise.allSettled(results);
		list.calls[0]?.end(new Error('locked'));
		await settle();
		list.calls[1]?.end(new Error('locked again'));
		expect(await settled).toEqual([
			{ status: 'rejected', reason: new Error('locked') },
			{ status: 'rejected', reason: new Error('locked again') },
			{ status: 'fulfilled', value: [] },
		]);
	});

	test('goes on after a recording that throws before it has begun', async () => {
		const commit = new GroupCommit();
		const broken = (): Promise<string[]> => {
			throw new Error('no context');
		};
		await expect(commit.run('a', ['e1'], broken)).rejects.toThrow('no context');
		const list = slowList();
		await settle();
		const next = commit.run('a', ['e1'], list.record);
		list.calls[0]?.end();
		expect(await next).toEqual(['e1']);
	});

	describe('with a recording that never ends', () => {
		const never = async () => await new Promise<never>(() => undefined);

		test('tells those whom it was to serve, and goes on with the next group', async () => {
			const commit = new GroupCommit(1);
			const list = slowList();
			const hanging = commit.run('a', ['e1'], never);
			const next = commit.run('a', ['e2'], list.record);
			expect(list.calls).toHaveLength(0);
			await expect(hanging).rejects.toThrow("n8n's database did not respond within 1 ms");
			await settle();
			list.calls[0]?.end();
			expect(await next).toEqual(['e2']);
		});

		test('tells only the first of twins, so that one of them passes', async () => {
			const commit = new GroupCommit(1);
			const runs = ['e1', 'e2', 'e2'].map((name) => commit.run('a', [name], never));
			const outcomes = (await Promise.allSettled(runs)).map((result) =>
				result.status === 'fulfilled' ? result.value : 'timed out',
			);
			expect(outcomes).toEqual(['timed out', 'timed out', []]);
		});
	});

	test('leaves no timer behind', async () => {
		const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		const commit = new GroupCommit(60_000);
		await commit.run('a', ['e1'], async (names) => await Promise.resolve(names));
		const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		expect(after).toBe(before);
	});

	test('remembers nothing of places where all is recorded: the next begins at once', async () => {
		const commit = new GroupCommit();
		const none = async () => await Promise.resolve([]);
		await Promise.all(['a', 'a', 'b'].map((place) => commit.run(place, ['e1'], none)));
		await settle();
		const list = slowList();
		const results = ['a', 'b'].map((place) => commit.run(place, ['e2'], list.record));
		expect(list.names()).toEqual([['e2'], ['e2']]);
		for (const { end } of list.calls) end();
		expect(await Promise.all(results)).toEqual([['e2'], []]);
	});
});
