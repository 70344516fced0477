import type { Figure, PartResult } from '../result.ts';
import { rounded } from './numbers.ts';

const width = 760;
const margin = 20;
const titleHeight = 62;
const headingHeight = 34;
const rowHeight = 24;
const barHeight = 14;
const labelWidth = 240;
/** Room for the longest bar; what is right of it is for the values. */
const longestBar = 340;

// The background is part of the picture: a page may be dark where the system is light.
const style = `
	.page { fill: #ffffff }
	.bar { fill: #8c959f }
	.ours { fill: #0969da }
	text { fill: #1f2328; font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif }
	.title { font-size: 16px; font-weight: 600 }
	.heading { font-weight: 600 }
	.note { fill: #59636e }
	@media (prefers-color-scheme: dark) {
		.page { fill: #0d1117 }
		.bar { fill: #6e7681 }
		.ours { fill: #4493f8 }
		text { fill: #f0f6fc }
		.note { fill: #9198a1 }
	}
`;

/** The chart of a part, as SVG, and its file in docs/; undefined for a part without one. */
export function chartOf(result: PartResult): { file: string; svg: string } | undefined {
	return result.chart && { file: result.chart.file, svg: toSvg(result, result.chart.title) };
}

/** Bars of the reference's measure: a group for each setting, which has a separate scale. */
function toSvg({ figures, reference }: PartResult, title: string): string {
	const shown = figures.filter(({ measure }) => measure === reference.measure);
	const settings = [...new Set(shown.map(({ setting }) => setting))];
	let y = titleHeight;
	const groups = settings.map((setting) => {
		const group = shown.filter((figure) => figure.setting === setting);
		const top = y;
		y += headingHeight + group.length * rowHeight;
		return groupOf(setting, group, reference.contender, top);
	});
	const height = y + margin;
	const note = 'Median; shorter is better. Each group has its own scale.';
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
		`<title id="title">${escaped(title)}</title>`,
		`<desc id="description">${escaped(shown.map(sentence).join(' '))}</desc>`,
		`<style>${style}</style>`,
		`<rect class="page" width="${width}" height="${height}"/>`,
		textAt(margin, 30, 'title', title),
		textAt(margin, 50, 'note', note),
		...groups.flat(),
		'</svg>',
	].join('\n')}\n`;
}

function groupOf(setting: string, group: readonly Figure[], ours: string, top: number): string[] {
	const most = Math.max(...group.map(({ median }) => median));
	const reference = group.find(({ contender }) => contender === ours)?.median;
	const rows = group.flatMap((figure, index) => {
		const y = top + headingHeight + index * rowHeight;
		const { contender, median } = figure;
		const barWidth = Math.max(1, (median / most) * longestBar);
		const kind = contender === ours ? 'bar ours' : 'bar';
		const bar = `<rect class="${kind}" x="${margin + labelWidth}" y="${y}" width="${barWidth.toFixed(1)}" height="${barHeight}" rx="2"/>`;
		const ratio =
			reference === undefined || contender === ours
				? ''
				: ` (× ${(median / reference).toFixed(2)})`;
		return [
			textAt(margin, y + 12, '', contender),
			bar,
			textAt(margin + labelWidth + barWidth + 8, y + 12, '', durationOf(figure) + ratio),
		];
	});
	return [textAt(margin, top + 22, 'heading', setting), ...rows];
}

const sentence = (figure: Figure) =>
	`${figure.setting}, ${figure.contender}: ${durationOf(figure)}.`;

/** A median for people: seconds from one second on. */
const durationOf = ({ median, unit }: Figure): string =>
	unit === 'ms' && median >= 1000 ? `${rounded(median / 1000)} s` : `${rounded(median)} ${unit}`;

const textAt = (x: number, y: number, kind: string, words: string) =>
	`<text x="${x.toFixed(1)}" y="${y}"${kind && ` class="${kind}"`}>${escaped(words)}</text>`;

const escaped = (words: string) =>
	words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
