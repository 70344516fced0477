import { goal, goalsOf, medianOf } from '../../bench/result.ts';
import { runInterleaved } from '../../bench/rounds.ts';
import { growth, median, summarize } from '../../bench/statistics.ts';

describe('The statistics of the bench', () => {
	it.each([
		[[3], 3],
		[[5, 1, 3], 3],
		[[10, 9], 9.5],
		[[4, 1, 3, 2], 2.5],
		// As texts, 10 would come before 9.
		[[9, 10, 1, 100, 2], 9],
	])('take the middle of %p', (values, middle) => {
		expect(median(values)).toBe(middle);
	});

	it('leave the rounds as they are, and refuse none', () => {
		const rounds = [3, 1, 2];
		expect(summarize(rounds)).toEqual({ median: 2, min: 1, max: 3, rounds: 3 });
		expect(rounds).toEqual([3, 1, 2]);
		expect(() => summarize([])).toThrow('There is no median of nothing');
	});

	it('call growth in proportion 1, whatever it costs', () => {
		expect(growth({ items: 10, cost: 5 }, { items: 1000, cost: 500 })).toBe(1);
		expect(growth({ items: 10, cost: 5 }, { items: 100, cost: 100 })).toBe(2);
		expect(growth({ items: 10, cost: 50 }, { items: 100, cost: 250 })).toBe(0.5);
	});

	it.each([
		['at least', 4, 4, true],
		['at least', 3.99, 4, false],
		['at most', 1.2, 1.2, true],
		['at most', 1.21, 1.2, false],
	] as const)('know whether a goal of %s is met by %d for %d', (bound, value, wanted, met) => {
		expect(goal('it', value, bound, wanted).met).toBe(met);
	});

	it('let contenders take turns, and keep their measures apart', async () => {
		const turns: string[] = [];
		const contender = (name: string, times: number[]) => ({
			setting: 'quiet',
			name,
			run: () => {
				turns.push(name);
				return Promise.resolve({ time: times.shift() ?? 0, unreported: 1 });
			},
		});
		const contenders = [contender('A', [1, 5, 2]), contender('B', [40, 30, 20])];
		const figures = await runInterleaved(
			contenders,
			{ rounds: 3 },
			{ time: 'ms' },
			() => undefined,
		);

		expect(turns.join('')).toBe('ABABAB');
		expect(figures).toHaveLength(2);
		expect(medianOf(figures, 'quiet', 'A', 'time')).toBe(2);
		expect(medianOf(figures, 'quiet', 'B', 'time')).toBe(30);
		expect(() => medianOf(figures, 'quiet', 'C', 'time')).toThrow('not measured: quiet, C, time');
	});

	it('run only the rows that are wanted, and leave out the goals of the others', async () => {
		const turns: string[] = [];
		const contenders = ['A', 'B'].map((name) => ({
			setting: 'quiet',
			name,
			run: async () => ({ time: turns.push(name) }),
		}));
		const wanted = { rounds: 1, isWanted: (row: string) => row === 'quiet, B' };
		const figures = await runInterleaved(contenders, wanted, { time: 'ms' }, () => undefined);
		const goalFor = (name: string) => () =>
			goal(name, medianOf(figures, 'quiet', name, 'time'), 'at most', 1);

		expect(turns).toEqual(['B']);
		expect(goalsOf(goalFor('A'), goalFor('B')).map(({ says }) => says)).toEqual(['B']);
		expect(() =>
			goalsOf(() => {
				throw new Error('another failure');
			}),
		).toThrow('another failure');
	});
});
