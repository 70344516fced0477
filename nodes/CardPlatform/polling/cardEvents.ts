import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DAY, MINUTE } from '../api/dates';
import type { ReadField } from '../api/field';
import { UserError } from '../api/userError';
import { createSource, nameCards, newestEvents } from '../events/cardEvents';
import { parseEventTypes } from '../events/eventTypes';
import { eventTypes, pollingFilters } from '../events/fields';
import { parseEventFilters } from '../events/filters';
import { toPolledItems } from '../events/item';
import { findEvents } from './findEvents';
import { startsOverHint } from './state';
import type { Kind, PollApi, PollingOptions, Watched } from './types';

/** New events or changes after which a poll leaves the rest to the next one. n8n starts fewer executions at the same time. */
export const MAX_EVENTS = { perPoll: 3_000, perEvent: 200 };

/** Events that a manual run shows. */
export const MAX_TEST_EVENTS = 10;

export const cardEvents: Kind = {
	value: 'cardEvents',
	name: 'Card Events',
	description: 'Purchases, declines, refunds and reversals',
	action: 'On card event',
	fields: [eventTypes, pollingFilters],
	read: watchCardEvents,
};

function watchCardEvents(get: ReadField, options: PollingOptions): Watched {
	const { lookBack, executionPerEvent, everyApproval, includeCard } = options;
	const filters = parseEventFilters(get(pollingFilters));
	const { displayName } = eventTypes;
	const choice = parseEventTypes(get(eventTypes), displayName, everyApproval, filters);
	const toItems = async (events: IDataObject[], api: PollApi): Promise<INodeExecutionData[]> => {
		const isNamed = includeCard && events.length > 0;
		return toPolledItems(events, isNamed ? await nameCards(api, api.report) : undefined);
	};
	return {
		async find(api, stored, circumstances) {
			const found = await findEvents(stored, createSource(api), {
				...circumstances,
				choice,
				lookBack: lookBack * DAY,
				recheckInterval: options.recheckInterval * MINUTE,
			});
			const { state, opened, failed, listFailure, endedEarly, mustStore } = found;
			if (opened.startsOver) api.report(startsOverHint('card events', circumstances.now()));
			const items = await toItems(found.events, api);
			const unread = failed.length === 0 ? undefined : unreadable(failed);
			const failures = [opened.loss, listFailure, unread].filter((each) => each !== undefined);
			return { state, items, failures, endedEarly, mustStore };
		},

		async fetchNewest(api) {
			const source = createSource(api);
			// A manual run is one execution.
			const limit = executionPerEvent ? 1 : MAX_TEST_EVENTS;
			const fetch = async (days: number) =>
				await newestEvents(source, { from: Date.now() - days * DAY, to: Infinity, choice, limit });
			// A day often has enough, and is listed faster.
			const ofOneDay = await fetch(1);
			const events = ofOneDay.length < limit ? await fetch(lookBack) : ofOneDay;
			if (events.length > 0) return await toItems(events, api);
			throw new UserError(
				`No event of the last ${lookBack} days passes the filters`,
				'Make a small purchase with a card, or change "Trigger On", "Filters" or the option "Look Back (Days)".',
			);
		},
	};
}

const unreadable = (cardIds: string[]): UserError =>
	new UserError(
		`The events of these cards cannot be read: ${cardIds.join(', ')}`,
		'No event is lost: later polls try again, and the events of other cards still start the workflow. If it continues, report it to your provider.',
	);
