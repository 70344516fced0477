import { randomUUID } from 'node:crypto';

import type { Execution } from '../../harness/n8n/executions.ts';
import type { WorkflowFile } from '../../harness/n8n/workflow.ts';
import type { Card } from '../../harness/publicApi.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { activated, importFile, useTestEnvironment } from './environment.ts';
import { lines } from './slackMessages.ts';
import { executionThatAsks } from './waitingExecution.ts';

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const linkPreview = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

const environment = useTestEnvironment();
const title = ({ name, lastFour }: Card) => `${name} (…${lastFour})`;

/** Opens the page behind a button. */
const open = async (url: string | undefined, userAgent = browser): Promise<string> =>
	(await fetch(url ?? '', { headers: { 'user-agent': userAgent } })).text();

const end = ({ id }: Execution) =>
	waitUntil(
		async () => {
			const execution = await environment().n8n.execution(id);
			return ['success', 'error'].includes(execution.status) ? execution : undefined;
		},
		{ what: 'the end of the execution', withinMs: 180_000 },
	);

/** Imports the workflow as a person has it who has Slack, and makes a large purchase with a new card. */
async function buy(change: (file: WorkflowFile) => WorkflowFile = (file) => file) {
	const { company, internet } = environment();
	const automation = await importFile(environment(), 'freeze-and-ask.json', (file) =>
		change(activated(file, 'Ask in Slack', 'Notify Slack')),
	);
	const card = await company.api.card(
		await company.api.createCard(randomUUID(), company.account.id),
	);
	const [asked, told] = [await internet.slackQuestions(), await internet.slackMessages()];
	const merchantName = "O'Neil's &lt; <!channel> & Co";
	const purchase = { cardId: card.id, amount: '1000.00', merchantName };
	const { event } = await company.sandbox.authorize(purchase);
	const execution = await waitUntil(
		() => executionThatAsks(environment(), automation.workflowId, event.id),
		{ what: 'the execution', withinMs: 90_000 },
	);
	await company.sandbox.unsubscribe({ id: automation.endpointId });
	const questions = (await internet.slackQuestions()).slice(asked.length);
	return {
		...{ card, execution, questions, urls: questions[0]?.urls ?? {} },
		status: async () => (await company.api.card(card.id)).status,
		messages: async () =>
			(await internet.slackMessages()).slice(told.length).map(({ text }) => text),
	};
}

// freeze-and-ask.test.ts has every answer; here, the links of the question are followed as a person does.
describe('"Freeze and ask"', () => {
	it('freezes the card of a large purchase at once, asks, and unfreezes it once', async () => {
		const { api } = environment().company;
		const { card, execution, questions, urls, status, messages } = await buy();
		expect([execution.status, await status()]).toEqual(['waiting', 'frozen']);
		expect(questions).toEqual([
			{
				channel: '#card-alerts',
				text: lines(
					`Froze the card ${title(card)}`,
					`Card ID: ${card.id}`,
					'Amount: 1000.00 USD',
					"Merchant: O'Neil's &amp;lt; &lt;!channel&gt; &amp; Co",
					'Status before: active',
					'Without an answer within 24 hours, the card stays frozen.',
				),
				urls: { Unfreeze: expect.any(String), 'Keep Frozen': expect.any(String) },
			},
		]);
		await open(urls.Unfreeze);
		expect((await end(execution)).status).toBe('success');
		expect(await status()).toBe('active');
		await api.changeCard(card.id, 'freeze');
		await open(urls.Unfreeze);
		expect(await status()).toBe('frozen');
		expect(await messages()).toEqual([`Unfroze the card ${title(card)}.`]);
	});

	it('takes neither Slack’s preview of a link nor a forged link for an answer, and the first answer only', async () => {
		const { card, execution, urls, status, messages } = await buy();
		await open(urls.Unfreeze, linkPreview);
		const forged = new URL(urls['Keep Frozen'] ?? '');
		forged.searchParams.set('approved', 'true');
		await open(forged.href);
		await open(urls['Keep Frozen']);
		expect((await end(execution)).status).toBe('success');
		await open(urls.Unfreeze);
		expect(await status()).toBe('frozen');
		expect(await messages()).toEqual([
			`The card ${title(card)} stays frozen: Keep Frozen was chosen.`,
		]);
	});

	it('says that a card stays frozen when nobody answers', async () => {
		const soon = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
		const { card, execution, urls, status, messages } = await buy((file) => ({
			...file,
			nodes: file.nodes.map((node) => {
				if (node.name !== 'Ask in Slack') return node;
				const parameters = node.parameters as { options: object };
				const options = { ...parameters.options, limitWaitTime: { values: soon } };
				return { ...node, parameters: { ...parameters, options } };
			}),
		}));
		expect((await end(execution)).status).toBe('success');
		await open(urls.Unfreeze);
		expect(await status()).toBe('frozen');
		expect(await messages()).toEqual([
			`The card ${title(card)} stays frozen: There was no answer.`,
		]);
	});
});
