import { readWorkflow, type WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { executionOf } from '../../dev/harness/scenario/purchase.ts';
import { workflowFile } from '../../dev/harness/tools/paths.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importSubscribed, importWorkflow, useTestEnvironment } from './environment.ts';
import { messagesDuring } from './messages.ts';
import { polling, pollsSoon } from './pollingFile.ts';
import { policyTable, withRules } from './spendPolicy.ts';

const environment = useTestEnvironment();

const endpointIds: string[] = [];

afterEach(async () => {
	const { n8n, company } = environment();
	for (const id of endpointIds.splice(0)) await company.sandbox.unsubscribe({ id });
	await n8n.unpublishAll();
});

/** Publishes a workflow that its webhook trigger starts; a polling trigger beside it polls soon. */
async function byWebhook(file: WorkflowFile): Promise<string> {
	const nodes = file.nodes.map(pollsSoon);
	const { workflowId, endpointId } = await importSubscribed(environment(), { ...file, nodes });
	endpointIds.push(endpointId);
	return workflowId;
}

const byPolling = async (file: WorkflowFile): Promise<string> =>
	(await importWorkflow(environment(), polling(file))).id;

/** Waits until an event has started an execution, and that has ended. */
const executed = (workflowId: string, { id }: { id: string }) =>
	waitUntil(() => executionOf(environment().n8n, workflowId, id), {
		what: 'the execution of an event',
		withinMs: 120_000,
		everyMs: 500,
	});

/** A new card without a limit, and what happens with it. */
async function newCard(name: string) {
	const { api, sandbox, account } = environment().company;
	const cardId = await api.createCard(name, account.id);
	const merchant = { merchantName: 'Harbour Hotel', merchantCountry: 'RO' };
	return {
		authorize: async (amount: string, changes: object = {}) =>
			(await sandbox.authorize({ cardId, amount, ...merchant, ...changes })).event,
		status: async () => (await api.card(cardId)).status,
		unfreeze: () => api.changeCard(cardId, 'unfreeze'),
	};
}

/** What follows the authorization of 1200.00: all that the life of a purchase can have. */
async function restOfLife({ transactionId }: { transactionId: string }) {
	const { sandbox } = environment().company;
	const step = async (...[kind, amount]: ['increment' | 'clearing' | 'refund', string?]) =>
		(await sandbox.simulateStep(kind, transactionId, amount)).event;
	return {
		increment: await step('increment', '1100.00'),
		partialClearing: await step('clearing', '500.00'),
		clearing: await step('clearing'),
		refund: await step('refund', '1000.00'),
	};
}

// Tests the ready-made workflows with all events of a purchase: the card is frozen once, and stays as a person left it.
describe.each([
	['webhook', byWebhook],
	['polling', byPolling],
])('the life of a purchase, by %s', (by, publish) => {
	it('"Auto-freeze" freezes once, for the first large event', async () => {
		const workflowId = await publish(activated(await readWorkflow(workflowFile), 'Send e-mail'));
		const card = await newCard(`Auto-freeze by ${by}`);
		const messages = await messagesDuring(environment(), async () => {
			const large = await card.authorize('1200.00');
			await executed(workflowId, large);
			expect(await card.status()).toBe('frozen');
			await card.unfreeze();
			await restOfLife(large);
			expect(await card.status()).toBe('active');

			const small = await card.authorize('1.00');
			await executed(workflowId, small);
			expect(await card.status()).toBe('active');
			const { increment, clearing } = await restOfLife(small);
			await executed(workflowId, increment);
			expect(await card.status()).toBe('frozen');
			await executed(workflowId, clearing);
		});
		expect(messages.map((text) => /Approved: (.*) at/.exec(text)?.[1])).toEqual([
			'1 200.00 USD',
			'1 100.00 USD',
		]);
	});

	it('"Spend policy" reports each rule once', async () => {
		const [head = ''] = (await policyTable()).split('\n');
		const rules = ['At home,,,,US,,,freeze', 'Maximum,,,1000.00,,,,freeze'];
		const csv = [head, ...rules, ''].join('\n');
		const file = await withRules(environment().n8n, `Purchases by ${by}`, csv);
		const workflowId = await publish(file);
		const card = await newCard(`Spend policy by ${by}`);
		const messages = await messagesDuring(environment(), async () => {
			const large = await card.authorize('1200.00');
			await executed(workflowId, large);
			expect(await card.status()).toBe('frozen');
			await card.unfreeze();
			const { increment, partialClearing, clearing } = await restOfLife(large);
			for (const event of [increment, partialClearing, clearing]) await executed(workflowId, event);
			expect(await card.status()).toBe('active');

			const small = await card.authorize('1.00', { merchantCountry: 'US' });
			await executed(workflowId, small);
			expect(await card.status()).toBe('active');
			const rest = await restOfLife(small);
			await executed(workflowId, rest.increment);
			expect(await card.status()).toBe('frozen');
			await executed(workflowId, rest.clearing);
		});
		expect(messages.map((text) => text.match(/"[^"]+" is broken: [^.]*/g))).toEqual([
			['"At home" is broken: the merchant is in RO, and allowed are US', expect.any(String)],
			['"Maximum" is broken: 1100'],
		]);
	});
});
