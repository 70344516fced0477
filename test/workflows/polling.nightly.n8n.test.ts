import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { outputOf } from '../../harness/n8n/executions.ts';
import { cardPlatform, readWorkflow, setUpWorkflow } from '../../harness/n8n/workflow.ts';
import type { Card } from '../../harness/publicApi.ts';
import { eventIdOf, trackPurchase } from '../../harness/scenario/purchase.ts';
import { workflowFile, workflowsFolder } from '../../harness/tools/paths.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { activated, importSubscribed, importWorkflow, useTestEnvironment } from './environment.ts';
import { polling, startPolling } from './pollingFile.ts';
import { lines, slackMessagesDuring } from './slackMessages.ts';
import { policyTable, spendPolicyFile, withRules } from './spendPolicy.ts';
import { executionThatAsks } from './waitingExecution.ts';

const eventsSchema = z.array(
	z.object({
		id: z.string(),
		cardId: z.string(),
		delivery: z.object({ source: z.string() }).passthrough(),
	}),
);

const environment = useTestEnvironment();

afterEach(() => environment().n8n.unpublishAll());

const declined = ({ id: cardId }: Card, merchantName = 'Elektronik Outlet') => ({
	cardId,
	amount: '20.00',
	merchantName,
	merchantCountry: 'RO',
	decline: { reason: 'suspected_fraud' },
});

/** The execution that an event has started, through a poll. */
const polled = (workflowId: string, eventId: string) =>
	waitUntil(() => executionThatAsks(environment(), workflowId, eventId), {
		what: 'the execution of an event that was polled',
		withinMs: 120_000,
		everyMs: 500,
	});

// Tests the ready-made workflows that a card event starts with the polling trigger.
describe('"Auto-freeze on suspicious event" with both triggers', () => {
	it('runs an event once, and finds one whose delivery was lost', async () => {
		const { n8n, company } = environment();
		const { sandbox, api, active } = company;
		const [first, second] = active;
		const file = await readWorkflow(workflowFile);
		const automation = await importSubscribed(environment(), file);
		const { workflowId, endpointId } = automation;

		const delivered = await trackPurchase({ ...company, ...automation }, declined(first));
		expect(delivered.card.status).toBe('frozen');
		await sandbox.unsubscribe({ id: endpointId });
		await startPolling(n8n, workflowId);
		const lost = await sandbox.authorize(declined(second));
		const execution = await polled(workflowId, lost.event.id);
		expect(execution.status).toBe('success');
		expect((await api.card(second.id)).status).toBe('frozen');
		const { text } = z
			.object({ text: z.string() })
			.parse(outputOf(execution, 'Message: frozen').items[0]);
		expect(text).toContain(`\nTime: ${lost.event.createdAt}\n`);

		// A poll emits the oldest event first, so it has emitted the delivered one by now.
		const later = await sandbox.authorize(declined(second));
		await polled(workflowId, later.event.id);
		const ran = (await n8n.executions(workflowId))
			.filter((each) => each.nodes.some(({ name }) => name === 'Rules'))
			.map(eventIdOf);
		expect(ran.sort()).toEqual([delivered.event.id, lost.event.id, later.event.id].sort());
	});
});

describe('the polling trigger starts', () => {
	const cases = [
		['auto-freeze-on-suspicious-event.json', 'Freeze the card'],
		['freeze-on-decline.json', 'What happened'],
		['slack-alert-on-declines.json', 'Notify Slack'],
		['freeze-and-ask.json', 'Ask in Slack'],
		[spendPolicyFile, 'Write the message'],
	] as const;

	const fileOf = async (name: string) =>
		name === spendPolicyFile
			? withRules(environment().n8n, 'Polled rules', await policyTable())
			: activated(await readWorkflow(join(workflowsFolder, name)), 'Notify Slack', 'Ask in Slack');

	it('all ready-made workflows that a card event starts', async () => {
		const files = readdirSync(workflowsFolder).filter((file) => file.endsWith('.json'));
		const started = await Promise.all(
			files.map(async (file) => {
				const { nodes } = await readWorkflow(join(workflowsFolder, file));
				return nodes.some(({ type }) => type === cardPlatform.trigger) ? [file] : [];
			}),
		);
		expect(started.flat().sort()).toEqual(cases.map(([file]) => file).sort());
	});

	it.each(cases)('workflows/%s, which gets to "%s"', async (name, last) => {
		const { company } = environment();
		await company.api.unfreeze(company.active[0].id);
		const file = polling(await fileOf(name));
		const { id } = await importWorkflow(environment(), file);
		const asks = last === 'Ask in Slack';
		const { decline, ...purchase } = declined(company.active[0]);
		const { event } = await company.sandbox.authorize(
			asks ? { ...purchase, amount: '1000.00' } : { ...purchase, decline },
		);
		const execution = await polled(id, event.id);
		expect(execution.status).toBe(asks ? 'waiting' : 'success');
		expect(outputOf(execution, last).items).toHaveLength(1);
	});
});

it('"Slack alert on declines" sends a message for each of several events', async () => {
	const { n8n, company, credentials } = environment();
	const [first, second] = company.active;
	const name = 'slack-alert-on-declines.json';
	const file = activated(await readWorkflow(join(workflowsFolder, name)), 'Notify Slack');
	// Not published: its own polls would send messages, too.
	const id = await n8n.addWorkflow(setUpWorkflow(polling(file), credentials));
	// A frozen card would be another reason to decline.
	for (const card of [first, second]) await company.api.unfreeze(card.id);
	const purchases = [
		{ card: first, merchant: 'Bakery' },
		{ card: second, merchant: 'Bookshop' },
		{ card: first, merchant: 'Cinema' },
	];
	for (const { card, merchant } of purchases) {
		await company.sandbox.authorize(declined(card, merchant));
	}
	let events: z.infer<typeof eventsSchema> = [];
	const messages = await slackMessagesDuring(environment(), async () => {
		// A manual run gets the newest events in one execution, as a poll does.
		const execution = await n8n.run(id, 'Declined purchase');
		expect(execution.status).toBe('success');
		events = eventsSchema.parse(outputOf(execution, 'Declined purchase').items);
	});
	expect(messages).toHaveLength(events.length);
	expect(messages.slice(0, 3)).toEqual(
		[...purchases]
			.reverse()
			.map(({ card, merchant }) =>
				lines(
					'Declined: 20.00 USD',
					`Merchant: ${merchant}`,
					'Country: RO',
					`Card: ${card.name} (…${card.lastFour})`,
					'Reason: suspected_fraud',
					`https://dashboard.example.com/cards/${card.id}`,
				),
			),
	);
});
