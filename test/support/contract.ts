import type { Exchange, OutgoingDelivery } from '../../sandbox/types.ts';
import { findOperation, type Operation, webhooks } from './openapi';

/** Responses to what is no operation: openapi.yaml cannot list them. */
const NO_OPERATION_STATUSES = new Set([401, 404]);

/** A parameter that is there twice becomes an array, which none of them may be. */
const queryOf = (query: URLSearchParams) =>
	Object.fromEntries(
		[...query].map(([name, value]) => {
			const all = query.getAll(name);
			return [name, all.length > 1 ? all : value];
		}),
	);

/** JSON that cannot be parsed stays a string, which no schema of an object accepts. */
function parseBody(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

const within = (place: string, problems: string[]): string[] =>
	problems.map((problem) => `${place}: ${problem}`);

function checkRequest(operation: Operation, exchange: Exchange): string[] {
	const { path, query, requestHeaders, requestBody } = exchange;
	return within('request', [
		...operation.checkParameters({
			path: operation.match(path),
			query: queryOf(query),
			header: Object.fromEntries(requestHeaders),
		}),
		...within('body', operation.checkBody(parseBody(requestBody))),
	]);
}

function checkResponse(operation: Operation, exchange: Exchange): string[] {
	const { status, responseHeaders, responseBody } = exchange;
	const response = operation.responses.get(String(status));
	if (response === undefined) return ['status is not documented'];
	return [
		...within('header', response.checkHeaders(Object.fromEntries(responseHeaders))),
		...within('body', response.checkBody(parseBody(responseBody))),
	];
}

function checkDelivery({ headers, body }: OutgoingDelivery): string[] {
	const webhook = webhooks.find(({ path }) => path === headers['x-webhook-topic']);
	if (webhook === undefined) return ['topic is not documented'];
	return [
		...webhook.checkParameters({ path: {}, query: {}, header: { ...headers } }),
		...within('body', webhook.checkBody(parseBody(new TextDecoder().decode(body)))),
	];
}

/**
 * Starts to check what goes over the wire against sandbox/openapi.yaml.
 *
 * @param requests `checked`: what is requested must be documented too, as it comes from the connector;
 * `any`: a test requests what it likes, only the responses are the service's
 */
export function recordContract(requests: 'checked' | 'any') {
	/** Everything so far that openapi.yaml does not document. */
	const problems: string[] = [];
	/** Each operation with each status that it was answered with, and with each parameter of its queries: "GET /cards 200", "GET /cards ?page". */
	const seen = new Set<string>();

	const record = (name: string, check: () => string[]) => {
		seen.add(name);
		try {
			problems.push(...within(name, check()));
		} catch (error) {
			// Thrown on, a faulty openapi.yaml would look like a failure of the sandbox.
			problems.push(`${name}: ${String(error)}`);
		}
	};

	const onExchange = (exchange: Exchange) => {
		const { method, path, status, query } = exchange;
		const operation = findOperation(exchange);
		if (operation) {
			for (const name of query.keys()) seen.add(`${method} ${operation.path} ?${name}`);
			record(`${method} ${operation.path} ${status}`, () => [
				...(requests === 'checked' ? checkRequest(operation, exchange) : []),
				...checkResponse(operation, exchange),
			]);
		} else if (requests === 'checked' || !NO_OPERATION_STATUSES.has(status)) {
			problems.push(`${method} ${path} ${status}: operation is not documented`);
		}
	};

	const onDelivery = (delivery: OutgoingDelivery) =>
		record(`webhook ${delivery.headers['x-webhook-topic'] ?? ''}`, () => checkDelivery(delivery));

	/** The hooks are what to start a sandbox with, so that it is recorded. */
	return { hooks: { onExchange, onDelivery }, problems, seen };
}

/**
 * Makes a recorder for all tests of a file; each test fails that put something on the wire that
 * openapi.yaml does not document.
 */
export function recordContractOfEachTest(requests: 'checked' | 'any') {
	const { hooks, problems } = recordContract(requests);
	const expectNone = () => expect(problems.splice(0)).toEqual([]);
	afterEach(expectNone);
	// What came after the last test was checked.
	afterAll(expectNone);
	return hooks;
}
