import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { readApi } from '../../sandbox/docs/api';
import { type ExecuteOptions, newExecution, send } from '../support/execute';
import { type ApiRequest, refusal, type Respond } from '../support/fakeApi';
import { operations } from '../support/openapi';
import { succeed, succeedWith } from '../support/operations';

// Nodes run against a fake API, which shows what they send and need.

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

const pollingTrigger = new CardPlatformPollingTrigger();

/** The fields of the polling trigger. */
export const watchFields = pollingTrigger.description.properties;

/** What it can watch. */
export const watches = watchFields
	.filter(({ name, type }) => name === 'watch' && type === 'options')
	.flatMap(({ options = [] }) => options.flatMap((each) => ('value' in each ? each : [])));

/** Each list has one record, of today. */
const withRecords = succeedWith(({ data }) => {
	const now = new Date().toISOString();
	return data.map((record) => ({ ...record, createdAt: now, dueDate: now.slice(0, 10) }));
});
const respond = (request: ApiRequest) =>
	Number(request.query.page ?? 1) > 1 ? succeed(request) : withRecords(request);

/** What may be missing: a feature that openapi.yaml says that all endpoints of a tag require, or a switch. */
const MISSING: { need: string; api: Respond; credential?: object }[] = z
	.array(z.object({ name: z.string(), description: z.string() }))
	.parse(readApi().tags)
	.flatMap(({ name, description }) => {
		const need = /These endpoints require ([^;.]+)/.exec(description)?.[1];
		const api: Respond = (request) =>
			request.path.startsWith(`/${name.toLowerCase()}`) ? refusal(403) : respond(request);
		return need === undefined ? [] : [{ need, api }];
	});
MISSING.push({
	need: '*Allow Sensitive Details*',
	api: respond,
	credential: { sensitiveDetails: false },
});

const endpointOf = ({ method, path }: ApiRequest) =>
	`${method} ${operations.find((each) => each.method === method && each.match(path))?.path ?? path}`;

/** Runs the action node as it is, and without what may be missing. */
export async function observe(
	parameters: INodeParameters,
	options: ExecuteOptions = {},
): Promise<Observed> {
	const run = async (api: Respond, credential = {}) =>
		await send(parameters, api, { ...options, credential });
	const { error, hints } = await run(respond);
	if (error !== undefined) throw error;
	const needs: string[] = [];
	for (const { need, api, credential } of MISSING) {
		const without = await run(api, credential);
		// It fails, or leaves something out with a hint.
		if (without.error !== undefined || without.hints.length > hints.length) needs.push(need);
	}
	const { requests } = await run(succeed);
	const sends = [...new Set(requests.map(endpointOf))];
	return {
		sends,
		needs,
		onlyReads: sends.every((endpoint) => endpoint.startsWith('GET ')),
		hasKey: requests.some(({ headers }) => 'Idempotency-Key' in headers),
	};
}

/** The same for the polling trigger, by Fetch Test Event, with values with which it finds something. */
export const observeWatch = async (parameters: INodeParameters): Promise<Observed> =>
	await observe(
		{ events: ['all'], threshold: '1000000', ...parameters },
		{ execution: newExecution('1', 'manual'), nodeType: pollingTrigger },
	);
