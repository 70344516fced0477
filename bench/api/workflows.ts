import type { ImportedCredential } from '../../harness/n8n/n8n.ts';
import { newId } from '../../harness/n8n/workflow.ts';
import { type BenchNode, type BenchWorkflow, chain } from '../n8n/workflow.ts';
import { apiKey } from '../server/settings.ts';

const apiCredential = { id: newId(), name: 'api', type: 'cardPlatformApi' };
const eagerCredential = { id: newId(), name: 'eager', type: 'cardPlatformApi' };
const headerCredential = { id: newId(), name: 'header', type: 'httpHeaderAuth' };

/** A workflow, and the node in it that calls the API. */
export interface ApiWorkflow {
	name: string;
	workflow: BenchWorkflow;
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
	maxConcurrentRequests,
	parameterNames: '{}',
});

/** What the workflows need: the same key, for this node and for the HTTP Request node. */
export const credentialsFor = (apiUrl: string): ImportedCredential[] => [
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

/** Starts the workflow, and answers when all of it has been done. */
const start: BenchNode = {
	name: 'Start',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: { httpMethod: 'POST', responseMode: 'lastNode', responseData: 'noData' },
};

const splitOut = (name: string, field: string): BenchNode => ({
	name,
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: field, options: {} },
});

const http = (parameters: object): BenchNode => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		...parameters,
	},
	credentials: { httpHeaderAuth: headerCredential.id },
});

const ours = (parameters: object, credential = apiCredential): BenchNode => ({
	name: 'Card Platform',
	type: 'n8n-nodes-card-platform.cardPlatform',
	parameters,
	credentials: { cardPlatformApi: credential.id },
});

/** All transactions, with this node. */
const exportWithThisNode: ApiWorkflow = {
	name: 'this node',
	workflow: chain('export', [
		start,
		ours({ resource: 'transaction', operation: 'getAll', returnAll: true }),
	]),
	node: 'Card Platform',
	result: 'Card Platform',
};

/** All transactions, with n8n's HTTP Request node, which gives out pages. */
const exportWithHttpRequest = (apiUrl: string): ApiWorkflow => ({
	name: 'HTTP Request + Split Out',
	workflow: chain('export-http', [
		start,
		http({
			url: `${apiUrl}/transactions`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'pageSize', value: '100' }] },
			options: { pagination: { pagination: nextPageUntilTheLast } },
		}),
		splitOut('Split Out', 'data'),
	]),
	node: 'HTTP Request',
	result: 'Split Out',
});

/** Freezes each card of a list, with this node and a credential. */
const freezeWith = (name: string, credential: typeof apiCredential): ApiWorkflow => ({
	name,
	workflow: chain(`freeze, ${name}`, [
		start,
		splitOut('Cards', 'body.cards'),
		ours(
			{
				resource: 'card',
				operation: 'freeze',
				cardId: { __rl: true, mode: 'id', value: "={{ $json['body.cards'] }}" },
			},
			credential,
		),
	]),
	node: 'Card Platform',
	result: 'Card Platform',
});

/** Freezes each card of a list, with n8n's HTTP Request node and these options of it. */
const freezeWithHttpRequest = (apiUrl: string, name: string, options: object): ApiWorkflow => ({
	name,
	workflow: chain(name, [
		start,
		splitOut('Cards', 'body.cards'),
		http({ method: 'POST', url: `=${apiUrl}/cards/{{ $json['body.cards'] }}/freeze`, options }),
	]),
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
