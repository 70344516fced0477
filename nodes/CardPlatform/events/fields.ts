import { collection, type Field, flag, type ReadIfAdded, toOptions } from '../api/field';
import { ALL, APPROVED, EVENT_TYPES } from './eventTypes';
import { FILTERS, FILTERS_WITH_PICKER } from './filters';

/** The parameter by which a person chooses from {@link EVENT_TYPES}. */
export const eventTypes: Field = {
	displayName: 'Trigger On',
	parse: (value) => value,
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: toOptions(EVENT_TYPES),
	default: [ALL],
	description: 'What starts the workflow',
};

export const everyApproval = flag({
	displayName: 'Each Approved Step',
	name: 'everyApproval',
	// On for whoever adds the option; off if it is not added.
	description:
		'Whether Approved includes each step of a purchase (authorization, increases, final charge), not only the first that passes the filters',
});

/** The same for a trigger: shown with the type that it is for. */
export const triggerEveryApproval: Field<boolean> = {
	...everyApproval,
	displayOptions: { show: { '/events': [APPROVED] } },
};

export const deduplicate = flag({
	displayName: 'Ignore Repeated Events',
	name: 'deduplicate',
	description:
		'Whether a repeated event starts nothing. Off: repeats start the workflow, and in the webhook trigger so does each approved step.',
	hint: 'Leave Always Output Data off: it would run the workflow with an empty item.',
});

/** The option of a trigger to emit only the main fields; where it is not added, it is off. */
export const simplify = flag({
	displayName: 'Simplify',
	name: 'simplify',
	description: 'Whether to return a simplified version of the event instead of all fields',
});

/** Reads the options that both triggers have, or their defaults. */
export const readTriggerOptions = (find: ReadIfAdded) => ({
	everyApproval: find(triggerEveryApproval) ?? false,
	deduplicate: find(deduplicate) ?? true,
	simplify: find(simplify) ?? false,
});

export const includeCard = flag({
	displayName: 'Include Card',
	name: 'includeCard',
	description:
		'Whether to add cardName and cardLastFour. The node lists the cards once per run, which needs card management.',
});

/** Tells n8n's AI workflow builder which events of a purchase a trigger gets. */
export const PURCHASE_HINT =
	'Trigger On "approved" starts the workflow once per purchase, "all" for each of its events (authorization, clearing, refund); do not combine "all" with others.';

/** The settings of a trigger, as the canvas shows them below its name; the editor evaluates it. */
export const triggerSubtitle = `={{ [$rawParameter.events ?? '${ALL}'].flat().map((type) => type === '${ALL}' ? 'all events' : String(type).startsWith('=') ? 'events by expression' : type).concat(Object.values($rawParameter.filters ?? {}).some((value) => value !== '') ? 'filtered' : []).join(', ') }}`;

const filtersOf = (fields: Field[]) =>
	collection(
		'Filters',
		'filters',
		'Add Filter',
		fields,
		'The workflow starts only for events that pass all filters',
	);

/** The "Filters" of a trigger. An event has to pass all that are set. */
export const triggerFilters = filtersOf(FILTERS);

/** The same, with a list of cards to choose from. */
export const pollingFilters = filtersOf(FILTERS_WITH_PICKER);
