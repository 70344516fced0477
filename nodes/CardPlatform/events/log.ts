import type { FunctionsBase, IDataObject, Logger } from 'n8n-workflow';

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
const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);

const quoteName = (name: string): string => JSON.stringify(oneLine(name));

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Gives the ID of an event for the log: the one in its signed body, or else the one in the header,
 * which is not signed (§6).
 *
 * @param event the verified event, or the item that the trigger emits for it
 * @param headerId the header `X-Webhook-Event-Id`
 * @returns at most 100 characters, unusual ones replaced by `?`; undefined if there is no ID
 */
export function loggedEventId(
	event: IDataObject | undefined,
	headerId: unknown,
): string | undefined {
	const id = [event?.id, headerId].find(isId);
	return id?.slice(0, 100).replace(/[^\w.:-]/g, '?');
}

/**
 * Describes for n8n's log, in one line, why an event was not handled as usual. The text contains
 * everything because n8n's console prints no metadata at its default level; the metadata is for
 * log files.
 *
 * @param eventId from {@link loggedEventId}
 * @param option the option of the trigger to change, if there is one
 */
export function logEntry(
	context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>,
	reason: string,
	eventId: string | undefined,
	option?: string,
) {
	const { id: workflowId = '', name: workflowName = '' } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	const parts = [
		`${oneLine(reason)} (workflow ${quoteName(workflowName)} ${workflowId}`,
		`node ${quoteName(nodeName)}`,
		eventId === undefined ? 'no event ID' : `event ${eventId}`,
		...(option === undefined ? [] : [`see the option ${quoteName(option)}`]),
	];
	return {
		text: `${parts.join(', ')})`,
		metadata: { workflowId, workflowName, nodeName, eventId, reason: oneLine(reason), option },
	};
}
