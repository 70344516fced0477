import type { NodeExecutionHint } from 'n8n-workflow';

import type { Cut } from '../transport/client';

/** Says how many of several items failed, where others went on. */
export function describeFailures(failed: number[], items: number): NodeExecutionHint | undefined {
	const [first] = failed;
	if (first === undefined || items === 1) return undefined;
	return {
		message: `${failed.length} of ${items} items failed. The first is item ${first}.`,
		type: 'warning',
		location: 'outputPane',
	};
}

const inEnglish = new Intl.NumberFormat('en');

/** Says that lists were cut at their Limit, so that nobody takes the output for all there is. */
export function describeCuts(cuts: Cut[], items: number): NodeExecutionHint | undefined {
	const [first] = cuts;
	if (first === undefined) return undefined;
	const { limit, total, isAtLeast } = first;
	const [of, shown] = [isAtLeast ? 'of at least' : 'of', inEnglish.format(limit)];
	const what =
		items > 1
			? `Limit was reached for ${cuts.length} of ${items} items, so there may be more.`
			: total === undefined
				? `Limit (${shown}) was reached. There may be more.`
				: `Returned ${shown} ${of} ${inEnglish.format(total)} records.`;
	return {
		message: `${what} Turn on Return All, or raise Limit, to get the others.`,
		type: 'info',
		location: 'outputPane',
	};
}
