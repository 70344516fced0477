import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { readApi } from '../../sandbox/docs/api';
import { type ExecuteOptions, newExecution, send } from '../support/execute';
import { type ApiRequest, refusal, type Respond } from '../support/fakeApi';
import { operations } from '../support/openapi';
import { succeed, succeedWith } from '../support/operations';

// Nodes run against a fake API, which shows what they send, need and refuse.

/** What runs of a node have shown. */
export interface Observed {
	/** The endpoints, as openapi.yaml writes them. */
	sends: string[];
	/** What the provider has to enable, and a switch of the credential. */
	needs: string[];
	/** Whether it works with Read Only. */
	onlyReads: boolean;
	/** Whether a request has a key that makes it safe to repeat. */
	hasKey: boolean;
}

const described = z.array(z.object({ name: z.string(), description: z.string() }));

/** What openapi.yaml says that all endpoints of a tag require, such as "card management". */
const FEATURES = described.parse(readApi().tags).flatMap(({ name, description }) => {
	const need = /These endpoints require ([^;.]+)/.exec(description)?.[1];
	return need === undefined ? [] : [{ need, prefix: `/${name.toLowerCase()}` }];
});

/** Each list has one record, of today. */
const withRecords = succeedWith(({ data }) => {
	const now = new Date().toISOString();
	return data.map((record) => ({ ...record, createdAt: now, dueDate: now.slice(0, 10) }));
});
const respond = (request: ApiRequest) =>
	Number(request.query.page ?? 1) > 1 ? succeed(request) : withRecords(request);

const endpointOf = ({ method, path }: ApiRequest) =>
	`${method} ${operations.find((each) => each.method === method && each.match(path))?.path ?? path}`;

const pollingTrigger = new CardPlatformPollingTrigger();

/** The fields of the polling trigger. */
export const watchFields = pollingTrigger.description.properties;
const watchField = watchFields.find((field) => field.type === 'options' && field.name === 'watch');

/** What it can watch. */
export const watches = (watchField?.options ?? []).flatMap((each) => ('value' in each ? each : []));

/** Values with which it finds something, whatever it watches. */
export const WATCH_ANYTHING = { events: ['all'], threshold: '1000000' };

/** The polling trigger by Fetch Test Event. */
const fetchTestEvent: ExecuteOptions = {
	execution: newExecution('1', 'manual'),
	nodeType: pollingTrigger,
};

async function look(parameters: INodeParameters, options: ExecuteOptions): Promise<Observed> {
	const run = async (api: Respond, credential = {}) =>
		await send(parameters, api, { ...options, credential });
	const { error, hints } = await run(respond);
	if (error !== undefined) throw error;
	/** Whether it fails without something, or leaves something out with a hint. */
	const lacks = async (api: Respond, credential = {}) => {
		const without = await run(api, credential);
		return without.error !== undefined || without.hints.length > hints.length;
	};
	const needs: string[] = [];
	for (const { need, prefix } of FEATURES) {
		const refuse: Respond = (request) =>
			request.path.startsWith(prefix) ? refusal(403) : respond(request);
		if (await lacks(refuse)) needs.push(need);
	}
	if (await lacks(respond, { sensitiveDetails: false })) needs.push('*Allow Sensitive Details*');
	const { requests } = await run(succeed);
	return {
		sends: [...new Set(requests.map(endpointOf))],
		needs,
		onlyReads: !(await lacks(respond, { readOnly: true })),
		hasKey: requests.some(({ headers }) => 'Idempotency-Key' in headers),
	};
}

const seen = new Map<string, Promise<Observed>>();

/** Runs a node as it is, and without each feature and switch. */
export async function observe(
	node: 'cardPlatform' | 'cardPlatformPollingTrigger',
	parameters: INodeParameters,
): Promise<Observed> {
	const key = JSON.stringify([node, parameters]);
	const known = seen.get(key) ?? look(parameters, node === 'cardPlatform' ? {} : fetchTestEvent);
	seen.set(key, known);
	return await known;
}
