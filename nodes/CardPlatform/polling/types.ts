import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Choice, ReadField } from '../api/field';
import type { UserError } from '../api/userError';
import type { Api } from '../transport/client';

/** The part of the API that polls read. */
export type PollApi = Pick<
	Api,
	'config' | 'get' | 'list' | 'listUnpaginated' | 'mapConcurrent' | 'report'
>;

export interface PollingOptions {
	everyApproval: boolean;
	deduplicate: boolean;
	simplify: boolean;
	/** In days. */
	lookBack: number;
	executionPerEvent: boolean;
	/** In minutes. */
	recheckInterval: number;
	includeCard: boolean;
}

/** Something to watch: what the form shows, and how its fields are read. */
export interface Kind extends Choice {
	fields: INodeProperties[];
	/** @throws UserError that names the field with a wrong value */
	read: (get: ReadField, options: PollingOptions, timezone: string) => Watched;
}

/** The circumstances of a poll, whatever it watches. Times are in milliseconds. */
export interface PollCircumstances {
	nodeId: string;
	baseUrl: string;
	/** True until one poll of an activation has succeeded: n8n may not have run what the newest one before emitted, so that is emitted again. Publishing has cleared it. */
	replaysNewest: boolean;
	/** n8n's clock. */
	now: () => number;
	/** No further read is begun after this moment. */
	deadline: number;
	/** New items after which the rest is left to the next poll. */
	maxItems: number;
}

export interface Found {
	/** What n8n is to store. */
	state: object;
	/** The items to emit, oldest first. */
	items: INodeExecutionData[];
	/** What could not be read, to be reported. The next poll tries it again. */
	failures: UserError[];
	/** Why the poll ended before everything was read. */
	endedEarly?: string;
	/** True if n8n must store the state, even without an item. */
	mustStore: boolean;
}

export interface Watched {
	/**
	 * Finds what is new since the last poll.
	 *
	 * @param stored what n8n has stored of the last poll; undefined or null before the first
	 * @throws UserError; then nothing is to be stored
	 */
	find: (api: PollApi, stored: unknown, circumstances: PollCircumstances) => Promise<Found>;
	/** Gets what Fetch Test Event shows, newest first; if there is nothing, that is an error. */
	fetchNewest: (api: PollApi) => Promise<INodeExecutionData[]>;
}
