import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { choice, collection, flag, type Get, whole } from '../api/field';
import {
	includeCard,
	triggerEvents,
	triggerEveryApproval,
	triggerFilters,
	triggerSimplify,
} from '../events/fields';
import { watchCardEvents } from './cardEvents';
import type { GetParameter, Watched } from './watched';
import { KINDS } from './watches';

const ofEvents = { displayOptions: { show: { '/watch': ['cardEvents'] } } };
const ofPurchases = { displayOptions: { show: { '/watch': ['cardEvents', 'transactions'] } } };

const deduplicate = flag({
	displayName: 'Ignore Repeated Events',
	name: 'deduplicate',
	description:
		'Whether to ignore events that have already started the workflow. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
});

const lookBack = whole({
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	...ofPurchases,
	typeOptions: { minValue: 1, maxValue: 365 },
	default: 30,
	description:
		'For how many days after a purchase what follows, such as the final charge, is found. A higher number means more requests. After you raise it, the range grows by one day each day.',
});

const executionPerEvent = flag({
	displayName: 'One Execution per Event',
	name: 'executionPerEvent',
	description:
		'Whether to start a separate execution for each event, all at the same time. When off, a poll starts one execution with all new events, the oldest first.',
});

const recheckInterval = whole({
	displayName: 'Recheck Older Cards Every (Minutes)',
	name: 'recheckInterval',
	...ofEvents,
	typeOptions: { minValue: 1, maxValue: 10080 },
	default: 60,
	// The form may cut the label off.
	hint: 'In minutes',
	description:
		'How often the cards without a new purchase are checked for later events, such as the final charge of an earlier one. Never more often than Poll Times. A shorter interval means more requests.',
});

const options = collection('Options', 'options', 'Add Option', [
	triggerEveryApproval,
	deduplicate,
	{ ...includeCard, ...ofPurchases },
	lookBack,
	executionPerEvent,
	recheckInterval,
	{ ...triggerSimplify, ...ofEvents },
]);

/** What can be watched. */
const kinds = [
	{
		value: 'cardEvents',
		name: 'Card Events',
		description: 'Purchases, declines, refunds and reversals',
		action: 'On card event',
		fields: [...triggerEvents, triggerFilters],
		read: undefined,
	},
	...KINDS,
];

const watchField = choice({
	displayName: 'Watch',
	name: 'watch',
	noDataExpression: true,
	options: kinds.map(({ name, value, description, action }) => ({
		name,
		value,
		description,
		action,
	})),
	default: 'cardEvents',
	description: 'What starts the workflow. If you change it, what is there then starts nothing.',
});

/** The parameters of the trigger; n8n adds Poll Times, and its node search offers the options of the first "Trigger On". */
export const pollingProperties: INodeProperties[] = [
	{ ...watchField, displayName: 'Trigger On', type: 'hidden' },
	watchField,
	...kinds.flatMap(({ value, fields }) =>
		updateDisplayOptions({ show: { watch: [value] } }, fields),
	),
	options,
];

/**
 * Reads what to watch.
 *
 * @throws UserError that names the field with a wrong value
 */
export function readWatched(
	getParameter: GetParameter,
	options: PollingOptions,
	timezone: string,
): Watched {
	const get: Get = (field) => field.parse(getParameter(field.name), field.displayName, timezone);
	const chosen = get(watchField);
	const read = kinds.find(({ value }) => value === chosen)?.read;
	return read?.(get, options, timezone) ?? watchCardEvents(getParameter, options);
}

/** Reads the options of the trigger. */
export function parsePollingOptions(value: unknown) {
	const find = options.parse(value, 'Options', '');
	return {
		everyApproval: find(triggerEveryApproval) ?? false,
		deduplicate: find(deduplicate) ?? true,
		lookBack: find(lookBack) ?? 30,
		executionPerEvent: find(executionPerEvent) ?? false,
		recheckInterval: find(recheckInterval) ?? 60,
		includeCard: find(includeCard) ?? false,
		simplify: find(triggerSimplify) ?? false,
	};
}

export type PollingOptions = ReturnType<typeof parsePollingOptions>;
