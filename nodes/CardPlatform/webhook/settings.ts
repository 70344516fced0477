import { z } from 'zod';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { type EventFilter, parseEventFilter } from '../api/eventFilter';
import { Problem } from '../api/problem';

/** Events that n8n's database remembers for a trigger; docs/webhooks.md has the measured cost. */
export const DEDUPLICATION_WINDOW = 1_000;

const collectionSchema = z.record(z.string(), z.unknown()).catch({});

const amountOfTime = z.number().nonnegative().finite();

const optionsSchema = z.object({
	deduplicate: z.boolean().default(true),
	deduplicationWindow: z.number().int().min(1).max(100_000).default(DEDUPLICATION_WINDOW),
	maximumEventAge: amountOfTime.default(0),
	futureTimestampTolerance: amountOfTime.default(TIMESTAMP_TOLERANCE_SECONDS),
	timestampTolerance: amountOfTime.default(TIMESTAMP_TOLERANCE_SECONDS),
});

const OPTION_HINTS = new Map([
	['deduplicate', '"Deduplicate" must be true or false.'],
	['deduplicationWindow', '"Deduplication Window" must be a whole number from 1 to 100000.'],
	['maximumEventAge', '"Maximum Event Age (Hours)" must be a number of hours, 0 or more.'],
	[
		'futureTimestampTolerance',
		'"Timestamp Tolerance, Future (Seconds)" must be a number of seconds, 0 or more.',
	],
	[
		'timestampTolerance',
		'"Timestamp Tolerance, Past (Seconds)" must be a number of seconds, 0 or more.',
	],
]);

/** The options of the trigger, checked. */
export type TriggerOptions = z.infer<typeof optionsSchema>;

/**
 * Checks the collection "Options" of the trigger.
 *
 * @param value what the form holds; anything that is not set has its default
 * @throws Problem that names the option with a wrong value
 */
export function parseOptions(value: unknown): TriggerOptions {
	const given = collectionSchema.parse(value);
	const parsed = optionsSchema.safeParse(given);
	if (parsed.success) return parsed.data;

	const names = new Set(parsed.error.issues.map(({ path }) => path.join()));
	const wrong = [...names].map((name) => `${name} ${JSON.stringify(given[name])}`);
	throw new Problem(
		`Invalid option value: ${wrong.join(', ')}`,
		[...names].map((name) => OPTION_HINTS.get(name)).join(' '),
	);
}

/**
 * Checks the fields "Trigger On" and "Filters" of the trigger.
 *
 * @throws Problem that names the field with a wrong value
 */
export const parseFilters = (filters: unknown, events: unknown): EventFilter =>
	parseEventFilter(collectionSchema.parse(filters), events);
