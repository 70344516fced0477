import { collection, flag, whole } from '../api/field';
import {
	deduplicate,
	includeCard,
	readTriggerOptions,
	triggerEveryApproval,
	triggerSimplify,
} from '../events/fields';

const ofEvents = { displayOptions: { show: { '/watch': ['cardEvents'] } } };
const ofPurchases = { displayOptions: { show: { '/watch': ['cardEvents', 'transactions'] } } };

export const lookBack = whole({
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	...ofPurchases,
	typeOptions: { minValue: 1, maxValue: 365 },
	default: 30,
	description:
		'For how many days after a purchase its later events, such as the final charge, are found. More days take more requests. If you raise it, the range grows by one day each day.',
});

const executionPerEvent = flag({
	displayName: 'One Execution per Event',
	name: 'executionPerEvent',
	description:
		'Whether to start a separate execution for each event, all at the same time. Off: one execution with all new events, the oldest first.',
});

export const recheckInterval = whole({
	displayName: 'Recheck Interval (Minutes)',
	name: 'recheckInterval',
	...ofEvents,
	typeOptions: { minValue: 1, maxValue: 10080 },
	default: 60,
	description:
		'How often to check cards without a new purchase for later events, such as the final charge of an earlier one. Never more often than Poll Times. A shorter interval takes more requests.',
});

/** The options of the trigger. */
export const pollingOptions = collection('Options', 'options', 'Add Option', [
	triggerEveryApproval,
	deduplicate,
	{ ...includeCard, ...ofPurchases },
	lookBack,
	executionPerEvent,
	recheckInterval,
	{ ...triggerSimplify, ...ofEvents },
]);

/** Reads the options of the trigger. */
export function parsePollingOptions(value: unknown) {
	const find = pollingOptions.parse(value, 'Options', '');
	return {
		...readTriggerOptions(find),
		lookBack: find(lookBack) ?? 30,
		executionPerEvent: find(executionPerEvent) ?? false,
		recheckInterval: find(recheckInterval) ?? 60,
		includeCard: find(includeCard) ?? false,
	};
}

/** How the trigger works, as a person set it. */
export type PollingOptions = ReturnType<typeof parsePollingOptions>;
