import { readFileSync } from 'node:fs';

import { barChart, putResults, RESULT_PAGES } from '../../dev/bench/report.ts';
import type { Result, Row } from '../../dev/bench/scenario.ts';

const row = (setting: string, name: string, median: number): Row => ({
	setting,
	name,
	measures: { first: { median, min: median, max: median } },
});

const resultOf = (name: string, reference: string, rows: Row[]): Result => ({
	...{ name, reference, rows, measures: ['first'] },
	...{ title: '', about: '', rounds: 1, contenders: [], goals: () => [] },
});

test.each(Object.values(RESULT_PAGES))('%s has a place for the results', (page) => {
	expect(putResults(readFileSync(page, 'utf8'), 'the results')).toContain('the results');
});

test('the chart says how many times as fast this package is: in less time, or more often', () => {
	const export20ms = [
		row('20 ms latency, TLS', 'this node', 2),
		row('20 ms latency, TLS', 'HTTP Request + Split Out', 10),
	];
	const forged = [
		row('forged, default engine', 'this trigger', 3),
		row('forged, default engine', 'Webhook + Code', 2),
	];
	const chart = barChart([
		resultOf('export', 'this node', export20ms),
		resultOf('deliveries', 'this trigger', forged),
	]);
	expect(chart).toMatch(/5\.0 × HTTP Request \+ Split Out +█{10}\n/);
	expect(chart).toMatch(/1\.5 × Webhook \+ Code +█{3}\n/);
});
