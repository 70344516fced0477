import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chartOf } from '../../bench/report/chart.ts';
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

	it('says what each contender took, relative to this node, and which goals were reached', () => {
		const text = toMarkdown(machine, [result]);

		expect(text).toContain('| 20 ms latency | this node | 1000 ms (999–1001) | 1.00 |');
		expect(text).toContain('| 20 ms latency | HTTP Request | 5250 ms (5249–5251) | 5.25 |');
		expect(text).toContain('| export | times faster | at least 4 | 5.25 | reached |');
		expect(text).toContain('| export | too slow | at most 1.2 | 1.50 | **not reached** |');
		expect(text).toContain('2 cores (Some Processor), 8 GB');
	});

	it('leaves cells empty that a contender has no figure for', () => {
		const failed = { ...figure('HTTP Request', 40), measure: 'work done', unit: '%' } as const;
		const figures = [figure('this node', 1000), failed];
		const text = toMarkdown(machine, [{ ...result, figures }]);

		expect(text).toContain('| 20 ms latency | this node | 1000 ms (999–1001) |  | 1.00 |');
		expect(text).toContain('| 20 ms latency | HTTP Request |  | 40.0 % (39.0–41.0) |  |');
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

describe('The chart of the bench', () => {
	const chart = { file: 'images/export.svg', title: 'Time of <all> & more' };

	interface Element {
		name: string;
		attributes: Record<string, string>;
		content: string;
	}

	/** The elements of an SVG that hold no others, in its order; a browser would refuse what is cut off. */
	function elementsOf(svg: string): Element[] {
		expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^<]*>[^]*<\/svg>\n$/);
		const pattern = /<(title|desc|rect|text)((?: [\w-]+="[^"<]*")*)(?:\/>|>([^<]*)<\/\1>)/g;
		const rest = svg.replace(pattern, '').replace(/<style>[^<]*<\/style>/, '');
		expect(rest.match(/<\/?\w+/g)).toEqual(['<svg', '</svg']);
		return [...svg.matchAll(pattern)].map(([, name = '', attributes = '', content = '']) => ({
			name,
			attributes: Object.fromEntries(
				[...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
					key,
					value,
				]),
			),
			content,
		}));
	}

	const draw = (more: Partial<PartResult> = {}) =>
		elementsOf(chartOf({ ...result, chart, ...more })?.svg ?? '');
	const barsOf = (elements: Element[]) =>
		elements.filter(({ attributes }) => attributes.class?.startsWith('bar'));

	it('is only there for a part that wants one, under the name of its file', () => {
		expect(chartOf(result)).toBeUndefined();
		expect(chartOf({ ...result, chart })?.file).toBe('images/export.svg');
		expect(toMarkdown(machine, [{ ...result, chart }])).toContain(
			'![Time of <all> & more](images/export.svg)',
		);
	});

	it('has a bar in proportion for each contender, this node in another color, and labels', () => {
		const elements = draw();
		const bars = barsOf(elements).map(({ attributes }) => attributes);
		const texts = elements.filter(({ name }) => name === 'text').map(({ content }) => content);

		expect(bars.map((bar) => bar.class)).toEqual(['bar ours', 'bar']);
		expect(Number(bars[1]?.width) / Number(bars[0]?.width)).toBeCloseTo(5.25, 1);
		expect(texts).toEqual([
			'Time of &lt;all&gt; &amp; more',
			'Median; shorter is better. Each group has its own scale.',
			'20 ms latency',
			'this node',
			'1.00 s',
			'HTTP Request',
			'5.25 s (× 5.25)',
		]);
	});

	it('shows the main measure only, and gives each setting a separate scale', () => {
		const other = { ...figure('this node', 10), setting: 'TLS' };
		const unshown = { ...figure('HTTP Request', 99_999), measure: 'the node alone' };
		const bars = barsOf(draw({ figures: [...result.figures, other, unshown] }));

		expect(bars).toHaveLength(3);
		expect(bars[2]?.attributes.width).toBe(bars[1]?.attributes.width);
	});

	it('keeps everything inside the picture, the longest label too', () => {
		const elements = draw();
		const height = Number(
			elements.find(({ attributes }) => attributes.class === 'page')?.attributes.height,
		);
		const lowest = Math.max(...elements.map(({ attributes }) => Number(attributes.y ?? 0)));

		expect(height).toBeGreaterThan(lowest);
	});

	it('is readable in light and dark: text and bars stand out from the background', () => {
		const { svg = '' } = chartOf({ ...result, chart }) ?? {};
		const [light = '', dark = ''] = svg.split('@media (prefers-color-scheme: dark)');
		const contrast = (css: string, selector: string) =>
			contrastOf(colorOf(css, selector), colorOf(css, '.page'));

		for (const css of [light, dark]) {
			expect(contrast(css, 'text')).toBeGreaterThan(4.5);
			expect(contrast(css, '.note')).toBeGreaterThan(4.5);
			expect(contrast(css, '.bar')).toBeGreaterThan(3);
			expect(contrast(css, '.ours')).toBeGreaterThan(3);
		}
	});
});

const colorOf = (css: string, selector: string): string =>
	new RegExp(`\\s${selector.replace('.', '\\.')} \\{ fill: (#[0-9a-f]{6})`).exec(css)?.[1] ??
	'none';

/** The contrast of two colors (WCAG 2). */
function contrastOf(one: string, other: string): number {
	const [darker = 0, lighter = 0] = [one, other].map(luminance).sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
	const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((start) => {
		const value = parseInt(color.slice(start, start + 2), 16) / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
