import { eventKey } from '../../nodes/CardPlatform/webhook/eventKey';
import { Mutex } from '../../nodes/CardPlatform/webhook/mutex';
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

describe('the mutex', () => {
	const turn = () => {
		let end: () => void = () => undefined;
		const ended = new Promise<void>((done) => (end = done));
		return { end, ended };
	};

	test('lets one task of a key run at a time, in order, and other keys meanwhile', async () => {
		const mutex = new Mutex();
		const log: string[] = [];
		const first = turn();
		const task = (name: string, until: Promise<void>) => async () => {
			log.push(`${name} starts`);
			await until;
			log.push(`${name} ends`);
			return name;
		};
		const results = [
			mutex.run('a', task('1', first.ended)),
			mutex.run('a', task('2', Promise.resolve())),
			mutex.run('a', task('3', Promise.resolve())),
		];
		expect(await mutex.run('b', task('other', Promise.resolve()))).toBe('other');
		expect(log).toEqual(['1 starts', 'other starts', 'other ends']);
		first.end();
		expect(await Promise.all(results)).toEqual(['1', '2', '3']);
		const own = ['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends'];
		expect(log.filter((line) => !line.startsWith('other'))).toEqual(own);
	});

	test('keeps a newcomer waiting for the last task, also when tasks before that have ended', async () => {
		const mutex = new Mutex();
		const log: string[] = [];
		const second = turn();
		const first = mutex.run('a', async () => await Promise.resolve());
		const waiting = mutex.run('a', async () => {
			await second.ended;
			log.push('2');
		});
		await first;
		const third = mutex.run('a', async () => await Promise.resolve(log.push('3')));
		await mutex.run('b', async () => await Promise.resolve());
		second.end();
		await Promise.all([waiting, third]);
		expect(log).toEqual(['2', '3']);
	});

	test('goes on after a task that failed, and tells who asked for it', async () => {
		const mutex = new Mutex();
		const failed = mutex.run('a', async () => await Promise.reject(new Error('broken')));
		const next = mutex.run('a', async () => await Promise.resolve('next'));
		await expect(failed).rejects.toThrow('broken');
		expect(await next).toBe('next');
	});

	test('remembers nothing of keys whose tasks have all ended', async () => {
		const mutex = new Mutex();
		await Promise.all([
			mutex.run('a', async () => await Promise.resolve()),
			mutex.run('a', async () => await Promise.resolve()),
		]);
		expect(Reflect.get(mutex, 'tails')).toHaveProperty('size', 0);
	});
});
