import {
	cardNode,
	type CredentialReference,
	node,
	splitOutNode,
	webhookNode,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { BenchCredential } from '../n8n/start.ts';
import { apiKey } from '../server/settings.ts';

const headerCredential = { name: 'header', type: 'httpHeaderAuth' };

/** A workflow, and the node in it that calls the API. */
export interface ApiWorkflow {
	name: string;
	workflow: Workflow;
	/** The node whose own time counts. */
	node: string;
	/** The node whose items are the result. */
	result: string;
}

/** Credentials of this node for one base URL: with its defaults, and with more concurrent requests. */
interface ApiCredentials {
	byDefault: BenchCredential;
	eager: BenchCredential;
}

/** The credential of the HTTP Request node, for every base URL. */
export const headerAuth: BenchCredential = {
	...headerCredential,
	data: { name: 'Authorization', value: `Bearer ${apiKey}` },
};

/** The credentials for the API at `apiUrl`; `network` tells them from those for other URLs. */
export function credentialsFor(apiUrl: string, network: string): ApiCredentials {
	const credential = (kind: string, more: object): BenchCredential => ({
		name: `${network}, ${kind}`,
		type: 'cardPlatformApi',
		data: { baseUrl: apiUrl, apiKey, keyScope: 'account', readOnly: false, ...more },
	});
	const advanced = { advanced: true, maxConcurrentRequests: 40, parameterNames: '{}' };
	return {
		byDefault: credential('default', { advanced: false }),
		eager: credential('eager', advanced),
	};
}

/** Pages until the last one, one after the other: the node has no other way. */
const nextPageUntilTheLast = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.page >= $response.body.totalPages }}',
	requestInterval: 0,
};

/** A workflow that responds once all of it has run. */
const inARow = (name: string, ...nodes: WorkflowNode[]): Workflow => {
	const start = webhookNode('Start', { responseMode: 'lastNode', responseData: 'noData' });
	return workflowOf(name, [start, ...nodes]);
};

const http = (parameters: object): WorkflowNode =>
	node('HTTP Request', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...parameters,
		},
		credential: headerCredential,
	});

/** All transactions, with this node. */
const exportWithThisNode = (credential: CredentialReference): ApiWorkflow => ({
	name: 'this node',
	workflow: inARow(
		'export',
		cardNode(
			'Card Platform',
			{ resource: 'transaction', operation: 'getAll', returnAll: true },
			credential,
		),
	),
	node: 'Card Platform',
	result: 'Card Platform',
});

/** All transactions, with n8n's HTTP Request node, which gives out pages. */
const exportWithHttpRequest = (apiUrl: string): ApiWorkflow => ({
	name: 'HTTP Request + Split Out',
	workflow: inARow(
		'export-http',
		http({
			url: `${apiUrl}/transactions`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'pageSize', value: '100' }] },
			options: { pagination: { pagination: nextPageUntilTheLast } },
		}),
		splitOutNode('Split Out', 'data'),
	),
	node: 'HTTP Request',
	result: 'Split Out',
});

/** Freezes each card of a list, with this node and a credential. */
const freezeWith = (name: string, credential: CredentialReference): ApiWorkflow => ({
	name,
	workflow: inARow(
		`freeze, ${name}`,
		splitOutNode('Cards', 'body.cards'),
		cardNode(
			'Card Platform',
			{
				resource: 'card',
				operation: 'freeze',
				cardId: { __rl: true, mode: 'id', value: "={{ $json['body.cards'] }}" },
			},
			credential,
		),
	),
	node: 'Card Platform',
	result: 'Card Platform',
});

/** Freezes each card of a list, with n8n's HTTP Request node, these options and settings of it. */
const freezeWithHttpRequest = (
	apiUrl: string,
	name: string,
	options: object,
	settings: object = {},
): ApiWorkflow => ({
	name,
	workflow: inARow(name, splitOutNode('Cards', 'body.cards'), {
		...http({
			method: 'POST',
			url: `=${apiUrl}/cards/{{ $json['body.cards'] }}/freeze`,
			options,
		}),
		...settings,
	}),
	node: 'HTTP Request',
	result: 'HTTP Request',
});

/** Options of the HTTP Request node: this many items, then a pause in milliseconds. */
const batching = (batchSize: number, batchInterval: number) => ({
	batching: { batch: { batchSize, batchInterval } },
});

/** The settings of a node that n8n runs again if it fails: the most that they allow. */
const retrying = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };

/** All workflows that call the API at `apiUrl`. */
export const apiWorkflows = (apiUrl: string, { byDefault, eager }: ApiCredentials) => ({
	exportWithThisNode: exportWithThisNode(byDefault),
	exportWithHttpRequest: exportWithHttpRequest(apiUrl),
	freezeWithThisNode: freezeWith('this node', byDefault),
	freezeWithThisNodeEagerly: freezeWith('this node, 40 at the same time', eager),
	freezeAllAtOnce: freezeWithHttpRequest(apiUrl, 'HTTP Request, all at once (its default)', {}),
	freezeInBatches: freezeWithHttpRequest(
		apiUrl,
		'HTTP Request, 50 a second (its Batching)',
		batching(50, 1000),
	),
	freezeInSmallBatches: freezeWithHttpRequest(
		apiUrl,
		'HTTP Request, 10 per 200 ms (its Batching), Retry On Fail',
		batching(10, 200),
		retrying,
	),
});
