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

const apiCredential = { name: 'api', type: 'cardPlatformApi' };
const eagerCredential = { name: 'eager', type: 'cardPlatformApi' };
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

const dataFor = (baseUrl: string, maxConcurrentRequests: number) => ({
	baseUrl,
	apiKey,
	keyScope: 'account',
	readOnly: false,
	advanced: true,
	maxConcurrentRequests,
	parameterNames: '{}',
});

/** What the workflows need: the same key, for this node and for the HTTP Request node. */
export const credentialsFor = (apiUrl: string): BenchCredential[] => [
	{ ...apiCredential, data: dataFor(apiUrl, 10) },
	{ ...eagerCredential, data: dataFor(apiUrl, 40) },
	{ ...headerCredential, data: { name: 'Authorization', value: `Bearer ${apiKey}` } },
];

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
const exportWithThisNode: ApiWorkflow = {
	name: 'this node',
	workflow: inARow(
		'export',
		cardNode(
			'Card Platform',
			{ resource: 'transaction', operation: 'getAll', returnAll: true },
			apiCredential,
		),
	),
	node: 'Card Platform',
	result: 'Card Platform',
};

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

/** Freezes each card of a list, with n8n's HTTP Request node and these options of it. */
const freezeWithHttpRequest = (apiUrl: string, name: string, options: object): ApiWorkflow => ({
	name,
	workflow: inARow(
		name,
		splitOutNode('Cards', 'body.cards'),
		http({ method: 'POST', url: `=${apiUrl}/cards/{{ $json['body.cards'] }}/freeze`, options }),
	),
	node: 'HTTP Request',
	result: 'HTTP Request',
});

/** All workflows that call the API at `apiUrl`. */
export const apiWorkflows = (apiUrl: string) => ({
	exportWithThisNode,
	exportWithHttpRequest: exportWithHttpRequest(apiUrl),
	freezeWithThisNode: freezeWith('this node', apiCredential),
	freezeWithThisNodeEagerly: freezeWith('this node, 40 at the same time', eagerCredential),
	freezeAllAtOnce: freezeWithHttpRequest(apiUrl, 'HTTP Request, all at once (its default)', {}),
	freezeInBatches: freezeWithHttpRequest(apiUrl, 'HTTP Request, 50 a second (its Batching)', {
		batching: { batch: { batchSize: 50, batchInterval: 1000 } },
	}),
});
