import type { INodeParameters } from 'n8n-workflow';

import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { type ExecuteOptions, newExecution, send } from '../support/execute';
import { type ApiRequest, refusal, type Respond } from '../support/fakeApi';
import { findOperation, operations } from '../support/openapi';
import { succeedWith } from '../support/operations';

// Nodes run against a fake API, which shows what they send and need.

const pollingTrigger = new CardPlatformPollingTrigger();

/** The fields of the polling trigger. */
export const watchFields = pollingTrigger.description.properties;

/** What it can watch. */
export const watches = watchFields
	.filter(({ name, type }) => name === 'watch' && type === 'options')
	.flatMap(({ options = [] }) => options.flatMap((each) => ('value' in each ? each : [])));

/** Responds with the examples of openapi.yaml: each list has one record, of today. */
const respond = (request: ApiRequest) =>
	succeedWith(({ data }) => {
		const now = new Date().toISOString();
		const ofToday = { createdAt: now, dueDate: now.slice(0, 10) };
		return Number(request.query.page ?? 1) > 1
			? []
			: data.map((record) => ({ ...record, ...ofToday }));
	})(request);

const respondWithout =
	(feature: string): Respond =>
	(request) =>
		findOperation(request)?.feature === feature ? refusal(403) : respond(request);

/** What may be missing: a feature, or a switch of the credential. */
const NEEDS: [string, Respond, object][] = [
	...new Set(operations.flatMap(({ feature }) => feature ?? [])),
].map((feature) => [feature, respondWithout(feature), {}]);
NEEDS.push(['*Allow Sensitive Details*', respond, { sensitiveDetails: false }]);

/** Runs the action node as it is, and without what may be missing. */
export async function observe(parameters: INodeParameters, options: ExecuteOptions = {}) {
	const run = async (api: Respond, credential = {}) =>
		await send(parameters, api, { ...options, credential });
	const { error, hints, requests } = await run(respond);
	if (error !== undefined) {
		const what = JSON.stringify(parameters);
		throw new Error(`With the examples of openapi.yaml as responses, this fails: ${what}`, {
			cause: error,
		});
	}
	const needs: string[] = [];
	for (const [need, api, credential] of NEEDS) {
		const without = await run(api, credential);
		// It fails, or leaves something out with a hint.
		if (without.error !== undefined || without.hints.length > hints.length) needs.push(need);
	}
	const sent = requests.map((each) => `${each.method} ${findOperation(each)?.path ?? each.path}`);
	return {
		/** The endpoints, as openapi.yaml writes them. */
		sends: [...new Set(sent)],
		/** What the provider has to enable, and a switch of the credential. */
		needs,
		/** Whether it works with Read Only. */
		onlyReads: requests.every(({ method }) => method === 'GET'),
		/** Whether a request has a key that makes it safe to repeat. */
		hasKey: requests.some(({ headers }) => 'Idempotency-Key' in headers),
	};
}

/** What runs of a node have shown. */
export type Observed = Awaited<ReturnType<typeof observe>>;

/** The same for the polling trigger, by Fetch Test Event, with values with which it finds something. */
export const observeWatch = async (parameters: INodeParameters): Promise<Observed> =>
	await observe(
		{ events: ['all'], threshold: '1000000', ...parameters },
		{ execution: newExecution('1', 'manual'), nodeType: pollingTrigger },
	);
