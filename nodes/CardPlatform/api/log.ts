import type { FunctionsBase, Logger } from 'n8n-workflow';

import { toLine } from './values';

/** The version of this package: that of package.json. */
export const VERSION = '0.1.0';

let isVersionLogged = false;

/**
 * Writes the version to n8n's log when this process uses one of the nodes for the first time: after an
 * upgrade in queue mode, an operator sees which process has which version.
 */
export function logVersion(logger: Logger): void {
	if (isVersionLogged) return;
	isVersionLogged = true;
	logger.info(`Card Platform nodes ${VERSION}`);
}

const quoteName = (name = ''): string => JSON.stringify(toLine(name));

/**
 * Writes one line to n8n's log: what a trigger did, and why.
 *
 * @param ids possible IDs of the event: first that of its signed body, then that of the header, which is not signed
 * (§6); absent for a line that is about no event
 * @param option of the trigger that a person may change
 */
export function logTrigger(
	context: Pick<FunctionsBase, 'getWorkflow' | 'getNode' | 'logger'>,
	level: 'debug' | 'warn' | 'error',
	what: string,
	reason: string,
	ids?: readonly unknown[],
	option?: string,
): void {
	const workflow = context.getWorkflow();
	const { name, type } = context.getNode();
	const eventId = ids
		?.filter((id) => typeof id === 'string')
		.find((id) => id !== '')
		?.slice(0, 100)
		.replace(/[^\w.:-]/g, '?');
	const parts = [
		`${toLine(reason, 500)} (workflow ${quoteName(workflow.name)} ${workflow.id}`,
		`node ${quoteName(name)}`,
		...(ids === undefined ? [] : [eventId === undefined ? 'no event ID' : `event ${eventId}`]),
		...(option === undefined ? [] : [`see the option ${quoteName(option)}`]),
	];
	const kind = type.endsWith('PollingTrigger') ? 'Polling Trigger' : 'Trigger';
	context.logger[level](`Card Platform ${kind} ${what}: ${parts.join(', ')})`);
}
