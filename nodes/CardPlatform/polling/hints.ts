import type { FunctionsBase, IExecuteFunctions } from 'n8n-workflow';

import { toPlainText } from '../api/toNodeError';
import { nodeKey } from '../events/deduplicate';

/** What polls had to say since this process started, by trigger. */
const reported = new Map<string, Set<string>>();

/** The hints of a trigger's polls, such as that the API ignores a filter: each of its executions shows them. */
export function hintsOf(context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): Set<string> {
	const hints = reported.get(nodeKey(context)) ?? new Set();
	reported.set(nodeKey(context), hints);
	return hints;
}

/** Shows hints above the items of an execution. */
export function showHints(context: IExecuteFunctions, hints: Iterable<string>): void {
	for (const hint of hints) {
		const message = toPlainText(hint);
		context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	}
}
