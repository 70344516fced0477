import type { Exchange } from '../../sandbox/http/exchange.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { checkAnswer, checkDelivery, checkRequest, findOperation } from './contractChecks';

/** Holds what goes over the wire against sandbox/openapi.yaml. */
export interface ContractRecorder {
	/** What to start a sandbox with, so that it is recorded. */
	hooks: Required<Pick<SandboxOptions, 'onExchange' | 'onDelivery'>>;
	/** Everything so far that openapi.yaml does not document. */
	problems: string[];
	/** How often each operation was answered with each status, e.g. "GET /cards 200". */
	counts: Map<string, number>;
}

/** Answers to what is no operation: openapi.yaml cannot list them. */
const NO_OPERATION_STATUSES = new Set([401, 404]);

/**
 * Starts to record.
 *
 * @param requests `checked`: what is asked must be documented too, as it comes from the connector;
 * `any`: a test asks what it likes, only the answers are the service's
 */
export function recordContract(requests: 'checked' | 'any'): ContractRecorder {
	const problems: string[] = [];
	const counts = new Map<string, number>();

	const record = (what: string, check: () => string[]) => {
		counts.set(what, (counts.get(what) ?? 0) + 1);
		try {
			problems.push(...check().map((problem) => `${what}: ${problem}`));
		} catch (error) {
			// Thrown on, a faulty openapi.yaml would look like a failure of the sandbox.
			problems.push(`${what}: ${String(error)}`);
		}
	};

	const onExchange = (exchange: Exchange) => {
		const { method, path, status } = exchange;
		const operation = findOperation(exchange);
		if (operation) {
			record(`${method} ${operation.path} ${status}`, () => [
				...(requests === 'checked' ? checkRequest(operation, exchange) : []),
				...checkAnswer(operation, exchange),
			]);
		} else if (requests === 'checked' || !NO_OPERATION_STATUSES.has(status)) {
			problems.push(`${method} ${path} ${status}: operation is not documented`);
		}
	};

	return {
		hooks: {
			onExchange,
			onDelivery: (delivery) =>
				record(`webhook ${delivery.headers['x-webhook-topic'] ?? ''}`, () =>
					checkDelivery(delivery),
				),
		},
		problems,
		counts,
	};
}

/**
 * Makes a recorder for all tests of a file; each test fails that put something on the wire that
 * openapi.yaml does not document.
 */
export function recordContractOfEachTest(requests: 'checked' | 'any'): ContractRecorder['hooks'] {
	const { hooks, problems } = recordContract(requests);
	const expectNone = () => expect(problems.splice(0)).toEqual([]);
	afterEach(expectNone);
	// What came after the last test was checked.
	afterAll(expectNone);
	return hooks;
}
