import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import type { StoredCredential } from '../../harness/n8n/client.ts';
import { type ExecutedNode, outputOf } from '../../harness/n8n/executions.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
import { cardNode, cardPlatform, node, workflowOf } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { eventually } from '../../harness/tools/waiting.ts';
import type { Exchange } from '../../sandbox/http/exchange.ts';
import { CASES } from '../sandbox/contract/cases';
import { findOperation, recordContract } from '../support/contract';
import { useTestEnvironment } from '../workflows/environment.ts';

const contract = recordContract('checked');
const exchanges: Exchange[] = [];

const environment = useTestEnvironment(() => ({
	onExchange(exchange) {
		contract.hooks.onExchange(exchange);
		exchanges.push(exchange);
	},
}));

let credential: StoredCredential;

beforeAll(async () => {
	const { n8n, company } = environment();
	const apiKey = await company.sandbox.createKey();
	const customer = { ...company, apiKey, keyScope: 'customer' as const };
	credential = await addApiCredential(n8n, customer, { sensitiveDetails: true });
});

/** The parameters of nodes, by the nodes' names. */
type Nodes = Record<string, INodeParameters>;

/** What an execution of nodes did: the output of each node, and what went over the wire. */
interface Run {
	executionId: string;
	outputs: Map<string, ExecutedNode>;
	exchanges: Exchange[];
	problems: string[];
}

/** Runs nodes in one execution, in their order. Those after one that fails run, too. */
async function run(nodes: Nodes): Promise<Run> {
	const { n8n } = environment();
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const settings = { onError: 'continueErrorOutput' };
	const all = Object.entries(nodes).map(([name, parameters]) =>
		cardNode(name, parameters, credential, settings),
	);
	const connections = all.map(({ name }) => [start.name, name] as const);
	const id = await n8n.addWorkflow(workflowOf('Operations', [start, ...all], connections));
	exchanges.splice(0);
	contract.problems.splice(0);
	const execution = await n8n.run(id, start.name);
	return {
		executionId: execution.id,
		outputs: new Map(all.map(({ name }) => [name, outputOf(execution, name)])),
		exchanges: exchanges.splice(0),
		problems: contract.problems.splice(0),
	};
}

/** The items of a node's output, once neither the node nor one of its items has failed. */
function itemsOf({ outputs }: Run, name: string): unknown[] {
	const { error, outputs: [items, errorItems] = [] } = outputs.get(name) ?? {};
	expect({ error, errorItems: errorItems ?? [] }).toEqual({ error: undefined, errorItems: [] });
	return items ?? [];
}

const endpointOf = (exchange: Exchange) =>
	`${exchange.method} ${findOperation(exchange)?.path ?? exchange.path}`;

const bodySchema = z.object({ data: z.array(z.unknown()).optional() }).passthrough();

/** What the API responded: the items of lists, and everything else as it is. */
const responsesOf = ({ exchanges }: Run, endpoint: string) =>
	exchanges
		.filter((exchange) => endpointOf(exchange) === endpoint)
		.map(({ responseBody }) => bodySchema.parse(JSON.parse(responseBody)))
		.flatMap((body) => body.data ?? [body]);

const caseOf = (endpoint: string) => {
	const found = CASES[endpoint];
	if (found === undefined) throw new Error(`There is no case for ${endpoint}`);
	return found.node;
};

const { cardId } = caseOf('GET /cards/{card-id}');
const events = caseOf('GET /cards/{card-id}/financial-events');

/** The range that has payments in the sandbox, which counts their days from now. It is longer than a year. */
const payments = {
	...caseOf('GET /payments'),
	from: '={{ $now.minus({ months: 14 }) }}',
	to: '={{ $now.plus({ months: 1 }) }}',
};

/** A node for each endpoint. */
const ENDPOINTS: Nodes = {
	...Object.fromEntries(Object.keys(CASES).map((endpoint) => [endpoint, caseOf(endpoint)])),
	'GET /payments': payments,
};

const CHANGED = { id: z.object({ value: z.string() }).parse(cardId).value, success: true };

/** The output of operations that do not output the response. */
const OUTPUTS: Record<string, object[]> = {
	'GET /health': [{ success: true, response: expect.anything() }],
	'POST /cards/{card-id}/freeze': [{ ...CHANGED, status: 'frozen' }],
	'POST /cards/{card-id}/unfreeze': [{ ...CHANGED, status: 'active' }],
	'POST /cards/{card-id}/archive': [{ ...CHANGED, status: 'archived' }],
};

describe('every endpoint', () => {
	let result: Run;
	beforeAll(async () => {
		result = await run(ENDPOINTS);
	});

	it.each(Object.keys(ENDPOINTS))('%s: outputs what the API responds', (endpoint) => {
		const items = itemsOf(result, endpoint);
		expect(items).toMatchObject(OUTPUTS[endpoint] ?? responsesOf(result, endpoint));
		expect(items).not.toEqual([]);
	});

	it('adds the cards and the transaction to the data of the execution', async () => {
		const added = {
			cardId: expect.stringContaining(CHANGED.id),
			transactionId: caseOf('GET /transactions/{transaction-id}').transactionId,
		};
		// n8n stores this data after it has stored that the execution ended.
		await eventually(async () => {
			const { customData } = await environment().n8n.execution(result.executionId);
			expect(customData).toEqual(n8nIsSince('2.30') ? added : {});
		});
	});

	it('sends only documented requests', () => {
		expect(result.problems).toEqual([]);
		expect(new Set(result.exchanges.map(endpointOf))).toEqual(new Set(Object.keys(CASES)));
	});
});

const LIMIT = 2;

/** The lists with Limit in place of Return All. */
const LIMITED: Nodes = Object.fromEntries(
	Object.entries(ENDPOINTS)
		.filter(([, { returnAll }]) => returnAll === true)
		.map(([endpoint, list]) => [endpoint, { ...list, returnAll: false, limit: LIMIT }]),
);

const allCards = {
	...events,
	cardScope: 'all',
	filters: { createdAfter: '={{ $now.minus({ days: 30 }) }}' },
};

/** Payments of each period; n8n fills in no dates for them. */
const periods: Nodes = Object.fromEntries(
	['lastDays', 'lastMonth', 'thisMonth', 'today', 'yesterday'].map((period) => [
		`the payments of ${period}`,
		{ ...caseOf('GET /payments'), from: '', to: '', period, days: 400 },
	]),
);

/** Choices of the form that no endpoint needs. */
const CHOICES: Nodes = {
	...periods,
	'transactions for a spreadsheet': {
		...caseOf('GET /transactions'),
		filters: { lastDays: 60 },
		options: { spreadsheetColumns: true },
	},
	'the single-use type': {
		...caseOf('POST /cards'),
		name: 'One lunch',
		type: 'single-use',
	},
	'the simplified events': { ...events, simplify: true },
	'cards with details': {
		...caseOf('GET /cards'),
		filters: {},
		options: { includeDetails: true },
	},
	'transactions between two amounts': {
		...caseOf('GET /transactions'),
		filters: { minimumAmount: '20', maximumAmount: '={{ 100 }}', currencies: 'usd' },
	},
	'transactions at a merchant': {
		...caseOf('GET /transactions'),
		returnAll: false,
		limit: 1,
		filters: { merchantName: 'A' },
	},
	'transactions of a card given as a string': {
		...caseOf('GET /transactions'),
		filters: { cardId: CHANGED.id },
	},
	'the events of all cards': allCards,
	'the events of all cards, also of those without transactions': {
		...allCards,
		options: { includeCardsWithoutTransactions: true },
	},
	'the defaults, which n8n does not store': { cardId: cardId ?? '' },
};

const eventSchema = z.object({ id: z.string(), cardId: z.string(), createdAt: z.string() });

const transactionSchema = z.object({
	cardId: z.string(),
	amount: z.coerce.number(),
	merchantName: z.string().optional(),
});

describe('the other choices of the form', () => {
	let result: Run;
	beforeAll(async () => {
		result = await run({ ...LIMITED, ...CHOICES });
	});
	const chosen = (name: keyof typeof CHOICES) => itemsOf(result, name);
	const eventsOf = (name: string) => z.array(eventSchema).parse(chosen(name));
	const transactionsOf = (name: string) => z.array(transactionSchema).parse(chosen(name));

	it.each(Object.keys(LIMITED))('Limit of %s', (endpoint) => {
		expect(itemsOf(result, endpoint)).toHaveLength(LIMIT);
	});

	it('a card for one purchase', () => {
		expect(chosen('the single-use type')).toMatchObject([{ type: 'single-use' }]);
	});

	it('simplified events', () => {
		const simplified = chosen('the simplified events');
		expect(simplified).not.toEqual([]);
		for (const event of simplified) {
			expect(event).toHaveProperty('merchantName');
			expect(event).not.toHaveProperty('issues');
		}
	});

	it('cards with their limits and balances', () => {
		const cards = z.array(z.object({ limit: z.unknown(), balance: z.unknown() }));
		const withLimit = cards.parse(chosen('cards with details')).filter(({ limit }) => limit);
		expect(withLimit).not.toEqual([]);
		for (const { balance } of withLimit) expect(balance).toMatch(/^\d+\.\d+$/);
	});

	it('transactions by amount, merchant and card', () => {
		const amounts = transactionsOf('transactions between two amounts').map(({ amount }) => amount);
		expect(amounts).not.toEqual([]);
		for (const amount of amounts) {
			expect(amount).toBeGreaterThanOrEqual(20);
			expect(amount).toBeLessThanOrEqual(100);
		}
		const [{ merchantName } = {}, ...others] = transactionsOf('transactions at a merchant');
		expect(merchantName).toMatch(/a/i);
		expect(others).toEqual([]);
		const cards = transactionsOf('transactions of a card given as a string');
		expect(new Set(cards.map(({ cardId: card }) => card))).toEqual(new Set([CHANGED.id]));
	});

	it('payments of a period', () => {
		const payment = z.array(z.object({ dueDate: z.string() }));
		const dates = Object.keys(periods).map((name) =>
			payment.parse(chosen(name)).map(({ dueDate }) => dueDate),
		);
		const [lastDays = []] = dates;
		expect(lastDays).not.toEqual([]);
		const today = DateTime.now().plus({ days: 1 }).toISODate();
		for (const date of lastDays) expect(date <= today).toBe(true);
	});

	it('transactions for a spreadsheet', () => {
		const rows = chosen('transactions for a spreadsheet');
		expect(rows).not.toEqual([]);
		for (const row of rows) {
			expect(row).toMatchObject({
				amountNumber: expect.any(Number),
				cardName: expect.any(String),
				localDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			});
		}
	});

	it('the events of all cards', () => {
		const found = eventsOf('the events of all cards');
		expect(new Set(found.map((event) => event.cardId)).size).toBeGreaterThan(1);
		const times = found.map(({ createdAt }) => createdAt);
		expect(times).toEqual([...times].sort().reverse());
		expect(eventsOf('the events of all cards, also of those without transactions')).toEqual(found);
	});

	it('the defaults, which n8n does not store', () => {
		expect(chosen('the defaults, which n8n does not store')).toMatchObject([
			{ id: CHANGED.id, status: expect.any(String) },
		]);
	});

	it('sends only documented requests', () => {
		expect(result.problems).toEqual([]);
		expect(result.exchanges).not.toEqual([]);
	});
});

const propertySchema = z.object({
	name: z.string(),
	type: z.string(),
	default: z.unknown(),
	options: z.array(z.object({ value: z.unknown() })).default([]),
	displayOptions: z
		.object({ show: z.record(z.array(z.unknown())).default({}) })
		.default({ show: {} }),
});
type Property = z.infer<typeof propertySchema>;

/** Not what is shown for tools only. */
const isShown = ({ displayOptions: { show } }: Property, operation: INodeParameters) =>
	show['@tool'] === undefined &&
	['resource', 'operation'].every((name) => show[name]?.includes(operation[name]) ?? false);

/** The operations of a form. */
const operationsOf = (fields: Property[]) =>
	fields
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions: { show }, options }) =>
			options.map(({ value }) => ({
				resource: z.string().parse(show.resource?.[0]),
				operation: z.string().parse(value),
			})),
		);

/** The values of a field that offers only a few. */
const choicesOf = ({ name, type, options }: Property) =>
	(type === 'boolean' ? [true, false] : options.map(({ value }) => value)).map((value) => ({
		[name]: value,
	}));

describe('the form', () => {
	it('offers no operation and no choice that did not run above', async () => {
		const types = z.array(z.object({ name: z.string(), properties: z.unknown() }));
		const nodes = await environment().n8n.getJson('/types/nodes.json', types);
		const action = nodes.find(({ name }) => name === cardPlatform.action);
		const fields = z.array(propertySchema).parse(action?.properties);
		const selectors = fields.filter(
			({ name, type }) =>
				['boolean', 'options'].includes(type) && !['resource', 'operation'].includes(name),
		);

		const operations = operationsOf(fields);
		const choices = operations.flatMap((operation) =>
			selectors
				.filter((field) => isShown(field, operation))
				.flatMap(choicesOf)
				.map((choice) => ({ ...operation, ...choice })),
		);
		const defaults = Object.fromEntries(selectors.map((field) => [field.name, field.default]));
		const ran = [ENDPOINTS, LIMITED, CHOICES]
			.flatMap((each) => Object.values(each))
			.map((parameters) => ({ ...defaults, ...parameters }));
		expect(operations).not.toEqual([]);
		expect(choices).not.toEqual([]);
		for (const each of [...operations, ...choices]) {
			expect(ran).toContainEqual(expect.objectContaining(each));
		}
	});
});

const EMPTY_CARD = { __rl: true, mode: 'list', value: '' };
const NOTHING = '={{ $json.nothing }}';

/** Nodes with an expression that leaves a required field empty, by the message. */
const LEFT_EMPTY: Nodes = {
	'Card is empty': {
		resource: 'card',
		operation: 'freeze',
		cardId: { ...EMPTY_CARD, mode: 'id', value: NOTHING },
	},
	'Transaction ID is empty': {
		resource: 'transaction',
		operation: 'get',
		transactionId: NOTHING,
	},
	'Name is empty': { resource: 'card', operation: 'create', name: NOTHING },
	'From Account ID is empty': {
		resource: 'account',
		operation: 'transfer',
		accountId: NOTHING,
		toAccountId: NOTHING,
		amount: NOTHING,
	},
};

describe('a required field', () => {
	let result: Run;
	beforeAll(async () => {
		result = await run(LEFT_EMPTY);
	});

	it.each(Object.keys(LEFT_EMPTY))('of an expression without a value: %s', (message) => {
		const { outputs: [items, errorItems] = [] } = result.outputs.get(message) ?? {};
		expect(items).toEqual([]);
		const hint = expect.stringContaining('check that its expression returns a value');
		expect(errorItems).toEqual([{ error: message, message: { hint } }]);
	});

	it('without a value is not sent', () => {
		expect(result.exchanges).toEqual([]);
	});

	it('with an expression, or of a default operation, does not keep a workflow from being published', async () => {
		const { n8n } = environment();
		const schedule = node('Schedule', 'n8n-nodes-base.scheduleTrigger', { typeVersion: 1.2 });
		const nodes = Object.entries({ ...LEFT_EMPTY, ...CHOICES }).map(([name, parameters]) =>
			cardNode(name, parameters, credential),
		);
		const id = await n8n.addAndPublish(workflowOf('Published', [schedule, ...nodes]));
		expect(await n8n.executions(id)).toEqual([]);
		await n8n.unpublishAll();
	});

	it.each([
		[
			'that is empty keeps n8n from running any node',
			{ ...LIMITED, Empty: { resource: 'card', operation: 'freeze', cardId: EMPTY_CARD } },
		],
		[
			// n8n 2.8 refuses it by itself; elsewhere the node does.
			'that is Resource or Operation takes no expression',
			{ Expression: { resource: '={{ "card" }}', operation: '={{ "getAll" }}' } },
		],
	])('%s', async (_, parametersOf) => {
		const { n8n } = environment();
		const start = node('Start', 'n8n-nodes-base.manualTrigger');
		const nodes = Object.entries<INodeParameters>(parametersOf).map(([name, parameters]) =>
			cardNode(name, parameters, credential),
		);
		const connections = nodes.map(({ name }) => [start.name, name] as const);
		const id = await n8n.addWorkflow(workflowOf('Empty', [start, ...nodes], connections));
		exchanges.splice(0);
		// Older versions respond with an error; all of them record a failed execution.
		await Promise.allSettled([n8n.run(id, start.name)]);
		expect(await n8n.executions(id)).toMatchObject([{ status: 'error' }]);
		expect(exchanges).toEqual([]);
	});
});
