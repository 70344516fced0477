import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { putResults, toMarkdown } from '../../bench/report/markdown.ts';
import { rounded } from '../../bench/report/numbers.ts';
import { type Figure, goal, type PartResult } from '../../bench/result.ts';

const machine = {
	cores: 2,
	processor: 'Some Processor',
	memoryGb: 8,
	node: '24.0.0',
	n8n: '2.41.1',
	date: '2026-11-21',
};

const figure = (contender: string, median: number): Figure => ({
	setting: '20 ms latency',
	contender,
	measure: 'whole workflow',
	unit: 'ms',
	median,
	min: median - 1,
	max: median + 1,
	rounds: 3,
});

const result: PartResult = {
	name: 'export',
	title: 'Export',
	about: 'How it was done.',
	reference: { contender: 'this node', measure: 'whole workflow' },
	figures: [figure('this node', 1000), figure('HTTP Request', 5250)],
	goals: [goal('times faster', 5.25, 'at least', 4), goal('too slow', 1.5, 'at most', 1.2)],
};

describe('The report of the bench', () => {
	it.each([
		[1240.4, '1240'],
		[100, '100'],
		[99.94, '99.9'],
		[1.234, '1.23'],
		[0.06, '0.0600'],
	])('writes %d as %s', (value, text) => {
		expect(rounded(value)).toBe(text);
	});

	it('says what each contender reached, relative to this node, and which goals were missed', () => {
		const text = toMarkdown(machine, [result]);

		expect(text).toContain('| 20 ms latency | this node | 1000 ms (999–1001) | 1.00 |');
		expect(text).toContain('| 20 ms latency | HTTP Request | 5250 ms (5249–5251) | 5.25 |');
		expect(text).toContain('| times faster | at least 4 | 5.25 | met |');
		expect(text).toContain('| too slow | at most 1.2 | 1.50 | **missed** |');
		expect(text).toContain('2 cores (Some Processor), 8 GB');
	});

	it('replaces the results of docs/benchmarks.md, and nothing else there', () => {
		const file = join(__dirname, '..', '..', 'docs', 'benchmarks.md');
		const document = `${readFileSync(file, 'utf8')}What comes after.\n`;
		const once = putResults(document, 'first results');
		const twice = putResults(once, 'second results');

		expect(twice).toMatch(/^# Benchmarks\n[^]*\n\nsecond results\n[^]*\nWhat comes after\.\n$/);
		expect(twice).not.toContain('first results');
		expect(twice.replace('second results', 'first results')).toBe(once);
		expect(() => putResults('no markers', 'results')).toThrow('no single place');
	});
});
