import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ANSWER_AT_THE_END } from './answer';
import { isDataObject } from './delivery';
import { eventKey } from './eventKey';
import { GroupCommit } from './groupCommit';
import { logEntry, loggedEventId } from './log';
import { SeenEvents } from './seenEvents';
import { parseOptions } from './settings';

// n8n's helper reads, changes and writes the list of a node without any lock.
const groupCommit = new GroupCommit();

/** Events that passed although n8n's database could not be asked; their twins must not pass too. */
const passedUnchecked = new SeenEvents();

function idOf(item: INodeExecutionData | undefined): string | undefined {
	const delivery = item?.json.delivery;
	return loggedEventId(item?.json, isDataObject(delivery) ? delivery.eventId : undefined);
}

/**
 * Runs as the first step of an execution that a delivery started: lets an event pass that n8n's
 * database does not know yet, and records it (§6: delivery is at-least-once). A duplicate gets this
 * far after a restart, from another process, or together with its twin. Only production deliveries
 * are looked at: whoever tests, or retries an execution, wants to see the event again. Where the sender
 * is answered when the workflow has ended, everything passes: an event that comes again may be one
 * whose first execution broke off, which is not to be told from here.
 *
 * @returns the items of new events
 */
export async function dropDuplicates(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const options = parseOptions(this.getNodeParameter('options', 0, {}));
	const repeats = this.getNodeParameter('answer', 0) === ANSWER_AT_THE_END;
	if (this.getMode() !== 'webhook' || !options.deduplicate || repeats) return [items];

	const place = `${this.getWorkflow().id}:${this.getNode().id}`;
	const keyed = items.map((item) => ({ item, key: eventKey(item.json) }));
	const keys = keyed.map(({ key }) => key);
	const hasNotPassed = (key: string) => !passedUnchecked.has(`${place}:${key}`);
	let unknown: Set<string>;
	try {
		const found = await groupCommit.run(place, keys, async (names) => {
			const recorded = await this.helpers.checkProcessedAndRecord(names, 'node', {
				mode: 'entries',
				maxEntries: options.deduplicationWindow,
			});
			return recorded.new.map(String);
		});
		unknown = new Set(found.filter(hasNotPassed));
	} catch (error) {
		// The delivery is answered already, so it would be lost: twice is better than never.
		unknown = new Set(keys.filter(hasNotPassed));
		for (const key of unknown) passedUnchecked.add(`${place}:${key}`);
		if (unknown.size > 0) {
			const { text, metadata } = logEntry(this, String(error), idOf(items[0]));
			this.logger.error(
				`Card Platform Trigger could not check for duplicates and let the event through: ${text}`,
				metadata,
			);
		}
	}
	return [
		keyed.flatMap(({ item, key }) => {
			if (unknown.delete(key)) return [item];
			const { text, metadata } = logEntry(this, 'duplicate', idOf(item));
			this.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
			return [];
		}),
	];
}
