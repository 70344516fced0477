import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { choice, collection, flag, type ReadField, toOptions, whole } from '../api/field';
import {
	deduplicate,
	includeCard,
	readTriggerOptions,
	simplify,
	triggerEveryApproval,
} from '../events/fields';
import { cardEvents } from './cardEvents';
import { balance, cards, payments, transactions } from './records';
import type { PollingOptions, Watched } from './types';

/** What can be watched. */
const KINDS = [balance, cardEvents, cards, payments, transactions];

const watchField = choice({
	displayName: 'Watch',
	name: 'watch',
	noDataExpression: true,
	options: toOptions(KINDS),
	default: 'cardEvents',
	description: 'What starts the workflow. If you change it, existing records start nothing.',
});

const ofEvents = { displayOptions: { show: { '/watch': ['cardEvents'] } } };
const ofPurchases = { displayOptions: { show: { '/watch': ['cardEvents', 'transactions'] } } };

export const lookBack = whole({
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	...ofPurchases,
	typeOptions: { minValue: 1, maxValue: 365 },
	default: 30,
	description:
		'How many days back the trigger looks for later events of a purchase, such as the final charge, or for changed transactions. More days take more requests.',
});

const executionPerEvent = flag({
	displayName: 'One Execution per Event',
	name: 'executionPerEvent',
	description:
		'Whether to start a separate execution for each event, all at the same time. Off: one execution with all new events, the oldest first.',
});

export const recheckInterval = whole({
	displayName: 'Recheck Interval (Min)',
	name: 'recheckInterval',
	...ofEvents,
	typeOptions: { minValue: 1, maxValue: 10080 },
	default: 60,
	description:
		'How often to check cards without a new purchase for later events, such as the final charge of an earlier one. A shorter interval takes more requests.',
});

/** The options of the trigger. */
const pollingOptions = collection('Options', 'options', 'Add Option', [
	triggerEveryApproval,
	deduplicate,
	{ ...includeCard, ...ofPurchases },
	lookBack,
	executionPerEvent,
	recheckInterval,
	{ ...simplify, ...ofEvents },
]);

/** The parameters of the trigger; n8n adds Poll Times, and its node search offers the options of the first "Trigger On". */
export const pollingProperties: INodeProperties[] = [
	{ ...watchField, displayName: 'Trigger On', type: 'hidden' },
	watchField,
	...KINDS.flatMap(({ value, fields }) =>
		updateDisplayOptions({ show: { watch: [value] } }, fields),
	),
	pollingOptions,
];

/** Reads what to watch; the error names the field with a wrong value. */
export function readWatched(
	getParameter: (name: string) => unknown,
	options: PollingOptions,
	timezone: string,
): Watched {
	const get: ReadField = (field) =>
		field.parse(getParameter(field.name), field.displayName, timezone);
	const chosen = get(watchField);
	const kind = KINDS.find(({ value }) => value === chosen) ?? cardEvents;
	return kind.read(get, options, timezone);
}

/** Reads the options of the trigger. */
export function parsePollingOptions(value: unknown): PollingOptions {
	const find = pollingOptions.parse(value, 'Options', '');
	return {
		...readTriggerOptions(find),
		lookBack: find(lookBack) ?? lookBack.default,
		executionPerEvent: find(executionPerEvent) ?? false,
		recheckInterval: find(recheckInterval) ?? recheckInterval.default,
		includeCard: find(includeCard) ?? false,
	};
}
