import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { choice, type ReadField } from '../api/field';
import { cardEvents } from './cardEvents';
import { type PollingOptions, pollingOptions } from './options';
import type { Watched } from './watched';
import { balance, cards, payments, transactions } from './watches';

/** What can be watched. */
const KINDS = [cardEvents, balance, cards, payments, transactions];

const watchField = choice({
	displayName: 'Watch',
	name: 'watch',
	noDataExpression: true,
	options: KINDS.map(({ name, value, description, action }) => ({
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
	...KINDS.flatMap(({ value, fields }) =>
		updateDisplayOptions({ show: { watch: [value] } }, fields),
	),
	pollingOptions,
];

/**
 * Reads what to watch.
 *
 * @throws UserError that names the field with a wrong value
 */
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
