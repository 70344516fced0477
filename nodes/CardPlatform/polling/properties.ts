import type { INodeProperties } from 'n8n-workflow';

import { collection, flag, whole } from '../api/field';
import {
	includeCard,
	pollingFilters,
	triggerEvents,
	triggerEveryApproval,
	triggerSimplify,
} from '../events/form';

const deduplicate = flag({
	displayName: 'Ignore Repeated Events',
	name: 'deduplicate',
	description:
		'Whether to ignore events that have already started the workflow. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
});

const lookBack = whole({
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	typeOptions: { minValue: 1, maxValue: 365 },
	default: 30,
	description:
		'For how many days after a purchase its later events, such as the final charge, are found. A higher number means more requests. After you raise it, the range grows by one day each day.',
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
	includeCard,
	lookBack,
	executionPerEvent,
	recheckInterval,
	triggerSimplify,
]);

/** The parameters of the trigger; n8n adds Poll Times. */
export const pollingProperties: INodeProperties[] = [...triggerEvents, pollingFilters, options];

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
