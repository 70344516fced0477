import type { FunctionsBase, Logger } from 'n8n-workflow';

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

/** Makes one short line of a string, whatever it contains. */
const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500);

const quoteName = (name = ''): string => JSON.stringify(oneLine(name));

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Describes for n8n's log, in one line, why an event was not handled as usual.
 *
 * @param ids what may be the ID of the event: first of its signed body, then of the header, which is not signed (§6)
 * @param option of the trigger, to change
 */
export function logLine(
	context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>,
	reason: string,
	ids: readonly unknown[],
	option?: string,
): string {
	const { id: workflowId, name } = context.getWorkflow();
	const eventId = ids
		.find(isId)
		?.slice(0, 100)
		.replace(/[^\w.:-]/g, '?');
	const parts = [
		`${oneLine(reason)} (workflow ${quoteName(name)} ${workflowId}`,
		`node ${quoteName(context.getNode().name)}`,
		eventId === undefined ? 'no event ID' : `event ${eventId}`,
		...(option === undefined ? [] : [`see the option ${quoteName(option)}`]),
	];
	return `${parts.join(', ')})`;
}
