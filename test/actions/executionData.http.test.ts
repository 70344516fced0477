import type { INodeParameters } from 'n8n-workflow';

import { createNode, runNode } from '../../harness/core/runNode.ts';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { addExecutionData } from '../../nodes/CardPlatform/executionData';
import { startSandbox, type TestSandbox } from '../support/sandbox';
import { createFirstStep, createTriggerWorkflow } from '../support/trigger';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TRANSACTION = '7a5a0000-0000-4000-8000-000000000001';

/** Runs an operation, and gives what n8n would store as data of the execution. */
async function dataOf(parameters: INodeParameters, items: object[] = [{}]) {
	const { data, items: output } = await runNode({
		parameters,
		credentials: sandbox.credentials(),
		items: items.map((json) => ({ ...json })),
	});
	return { data: data.resultData.metadata, output: output.map(({ json }) => json) };
}

const card = (operation: string) => ({ resource: 'card', operation, cardId: '={{ $json.card }}' });

test('the cards of all items, each once', async () => {
	const [one, two] = (await sandbox.cards('active')).map(({ id }) => ({ card: id }));
	const { data } = await dataOf(card('freeze'), [one ?? {}, two ?? {}, one ?? {}]);
	expect(data).toEqual({ cardId: `${one?.card}, ${two?.card}` });
});

test('also a card for which the operation fails', async () => {
	expect((await dataOf(card('get'), [{ card: UNKNOWN }])).data).toEqual({ cardId: UNKNOWN });
});

test('the card that was created', async () => {
	const parameters = { resource: 'card', operation: 'create', name: 'New', type: 'recurring' };
	const { data, output } = await dataOf(parameters);
	expect(data).toEqual({ cardId: output[0]?.id });
});

test('the transaction; the card of events', async () => {
	const get = { resource: 'transaction', operation: 'get', transactionId: TRANSACTION };
	expect((await dataOf(get)).data).toEqual({ transactionId: TRANSACTION });
	const events = { resource: 'cardEvent', operation: 'getAll', cardScope: 'one' };
	const { data } = await dataOf({ ...card('getAll'), ...events }, [{ card: UNKNOWN }]);
	expect(data).toEqual({ cardId: UNKNOWN });
});

test('nothing for a list', async () => {
	expect((await dataOf({ resource: 'card', operation: 'getAll' })).data).toBeUndefined();
	const filters = { cardId: UNKNOWN };
	const list = { resource: 'transaction', operation: 'getAll', filters };
	expect((await dataOf(list)).data).toBeUndefined();
});

/** The first step of an execution that events have started. */
function firstStep(type: 'cardPlatformTrigger' | 'cardPlatformPollingTrigger', events: object[]) {
	const node = createNode(type, { options: { deduplicate: false } });
	const mode = type === 'cardPlatformTrigger' ? 'webhook' : 'trigger';
	const items = events.map((event) => ({ ...event }));
	return createFirstStep(createTriggerWorkflow(node), node, {}, mode, items);
}

const event = (number: number) => ({
	id: `event-${number}`,
	transactionId: `transaction-${number}`,
	cardId: 'card',
});

test.each([
	['cardPlatformTrigger', new CardPlatformTrigger()],
	['cardPlatformPollingTrigger', new CardPlatformPollingTrigger()],
] as const)('%s: the events that it emits; what comes later is added', async (type, trigger) => {
	const context = firstStep(type, [event(1), { amount: '1.00', id: 7 }, event(2)]);
	expect((await trigger.execute.call(context))[0]).toHaveLength(3);
	expect(context.customData.getAll()).toEqual({
		cardId: 'card',
		transactionId: 'transaction-1, transaction-2',
		eventId: 'event-1, event-2',
	});
	addExecutionData(context, { cardId: ['card', 'another'] });
	expect(context.customData.get('cardId')).toBe('card, another');
});

test('of many events as many whole IDs as n8n takes without an error in its log', async () => {
	const ids = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(36, '0'));
	const context = firstStep(
		'cardPlatformTrigger',
		ids.map((id) => ({ id })),
	);
	await new CardPlatformTrigger().execute.call(context);
	expect(context.customData.getAll()).toEqual({ eventId: ids.slice(0, 6).join(', ') });
});

test('a value that a person has set stays', () => {
	const context = firstStep('cardPlatformTrigger', []);
	const long = 'x'.repeat(254);
	context.customData.setAll({ cardId: 'mine', eventId: long });
	addExecutionData(context, { cardId: ['card'], eventId: ['event'] });
	expect(context.customData.getAll()).toEqual({ cardId: 'mine, card', eventId: long });
});

test('n8n that has no such data, or refuses it, does not fail the execution', () => {
	const context = firstStep('cardPlatformTrigger', []);
	const refuse = () => {
		throw new Error('not available');
	};
	Object.defineProperty(context, 'customData', { get: refuse });
	expect(() => addExecutionData(context, { cardId: ['card'] })).not.toThrow();
});
