import { rounded } from './report.ts';
import type { Result } from './scenario.ts';

const titleHeight = 62;
const headingHeight = 34;
const rowHeight = 24;
const margin = 20;
const barsFrom = 260;
const longestBar = 340;
const width = 760;

// The background is part of the picture: a page may be dark where the system is light.
const style = `
	.page { fill: #ffffff }
	.bar { fill: #8c959f }
	.ours { fill: #0969da }
	text { fill: #1f2328; font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif }
	.title { font-size: 16px; font-weight: 600 }
	.heading { font-weight: 600 }
	@media (prefers-color-scheme: dark) {
		.page { fill: #0d1117 }
		.bar { fill: #6e7681 }
		.ours { fill: #4493f8 }
		text { fill: #f0f6fc }
	}
`;

/** A picture of the first measure, a time in ms, as SVG: a group of bars for each setting, with its own scale. */
export function toSvg({ rows, measures, reference, chart }: Result): string {
	const bars = rows.flatMap(({ setting, name, measures: its }) => {
		const ms = its[measures[0] ?? '']?.median;
		return ms === undefined ? [] : [{ setting, name, ms }];
	});
	let y = titleHeight;
	const settings = new Set(bars.map(({ setting }) => setting));
	const groups = [...settings].flatMap((setting) => {
		const group = bars.filter((bar) => bar.setting === setting);
		const longest = Math.max(...group.map(({ ms }) => ms));
		const ours = group.find(({ name }) => name === reference)?.ms ?? longest;
		const heading = textAt(margin, y + 22, setting, 'heading');
		y += headingHeight;
		const lines = group.map(({ name, ms }) => {
			const [top, length] = [y, (ms / longest) * longestBar];
			y += rowHeight;
			const ratio = name === reference ? '' : ` (× ${(ms / ours).toFixed(2)})`;
			return [
				textAt(margin, top + 12, name),
				`<rect class="${name === reference ? 'ours' : 'bar'}" x="${barsFrom}" y="${top}" width="${length.toFixed(1)}" height="14" rx="2"/>`,
				textAt(barsFrom + length + 8, top + 12, `${rounded(ms / 1000)} s${ratio}`),
			].join('');
		});
		return [heading, ...lines];
	});
	const height = y + margin;
	const title = `${chart?.title ?? ''} (median; each group has its own scale)`;
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
		`<title>${escaped(title)}</title>`,
		`<style>${style}</style>`,
		`<rect class="page" width="${width}" height="${height}"/>`,
		textAt(margin, 34, title, 'title'),
		...groups,
		'</svg>',
	].join('\n')}\n`;
}

const textAt = (x: number, y: number, words: string, style = 'label') =>
	`<text x="${x.toFixed(1)}" y="${y}" class="${style}">${escaped(words)}</text>`;

const escaped = (words: string) =>
	words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
