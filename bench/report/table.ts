import type { PartResult } from '../result.ts';
import { asText } from './numbers.ts';

/**
 * The figures of a part as rows of text, the heading first: setting, contender, each measure, and how
 * the contender's main measure relates to the reference's in the same setting.
 */
export function toTable({ figures, reference }: PartResult): string[][] {
	const measures = [...new Set(figures.map(({ measure }) => measure))];
	const rows = new Map(figures.map((figure) => [`${figure.setting}\n${figure.contender}`, figure]));
	const find = (setting: string, contender: string, measure: string) =>
		figures.find(
			(each) =>
				each.setting === setting && each.contender === contender && each.measure === measure,
		);

	const heading = ['', 'Contender', ...measures, `× ${reference.contender}`];
	const body = [...rows.values()].map(({ setting, contender }) => {
		const cells = measures.map((measure) => {
			const figure = find(setting, contender, measure);
			return figure === undefined ? '' : asText(figure);
		});
		const its = find(setting, contender, reference.measure);
		const ours = find(setting, reference.contender, reference.measure);
		const ratio = its && ours ? (its.median / ours.median).toFixed(2) : '';
		return [setting, contender, ...cells, ratio];
	});
	return [heading, ...body];
}
