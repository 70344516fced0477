import { join } from 'node:path';

import { z } from 'zod';

import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import type { Card } from '../../harness/publicApi.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { cardEvent } from '../trigger/events.ts';
import { activated, importSubscribed, useTestEnvironment } from './environment.ts';
import { lines } from './slackMessages.ts';
import { executionThatAsks } from './waitingExecution.ts';

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const linkPreview = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

const askSchema = z.object({
	parameters: z.object({ options: z.object({}).passthrough() }).passthrough(),
});

const environment = useTestEnvironment();
const title = ({ name, lastFour }: Card) => `${name} (…${lastFour})`;

/** Opens the page behind a button. */
const open = async (url: string | undefined, userAgent = browser): Promise<string> =>
	(await fetch(url ?? '', { headers: { 'user-agent': userAgent } })).text();

// Tests "Freeze and ask": follows the links of the question as a person does.
describe('"Freeze and ask"', () => {
	let imported: WorkflowFile;
	/** As a person has it who has Slack. */
	let file: WorkflowFile;
	let automation: Automation;

	beforeAll(async () => {
		imported = await readWorkflow(join(workflowsFolder, 'freeze-and-ask.json'));
		file = activated(imported, 'Ask in Slack', 'Notify Slack');
		automation = await importSubscribed(environment(), file);
	}, 400_000);

	const executionAfter = (eventId: string, { workflowId }: Automation = automation) =>
		waitUntil(() => executionThatAsks(environment(), workflowId, eventId), {
			what: 'the execution',
			withinMs: 90_000,
		});

	/** Sends an event, by default a large purchase with an active card; gives what Slack got and the execution. */
	const ask = async (cardId: string, changes: object = {}, own = automation) => {
		const { internet } = environment();
		const before = await internet.slackQuestions();
		const told = (await internet.slackMessages()).length;
		const event = cardEvent(cardId, { amount: '1000.00', ...changes });
		expect(await deliver(own.webhookUrl, signedDelivery(event, own.signingSecret))).toBe(200);
		const execution = await executionAfter(event.id, own);
		const questions = (await internet.slackQuestions()).slice(before.length);
		const messages = async () =>
			(await internet.slackMessages()).slice(told).map(({ text }) => text);
		return { event, execution, questions, urls: questions[0]?.urls ?? {}, messages };
	};

	const end = ({ id }: Execution) =>
		waitUntil(
			async () => {
				const execution = await environment().n8n.execution(id);
				return ['success', 'error'].includes(execution.status) ? execution : undefined;
			},
			{ what: 'the end of the execution', withinMs: 180_000 },
		);

	const status = async ({ id }: Card) => (await environment().company.api.card(id)).status;

	it('freezes the card of a large purchase at once, asks, and unfreezes it', async () => {
		const { company, internet } = environment();
		const [card] = company.active;
		const before = (await internet.slackQuestions()).length;
		const purchase = {
			cardId: card.id,
			amount: '1000.00',
			merchantName: "O'Neil's &lt; <!channel> & Co",
		};
		const bought = await company.sandbox.authorize(purchase);
		const execution = await executionAfter(bought.event.id);
		expect(execution.status).toBe('waiting');
		expect(await status(card)).toBe('frozen');
		const questions = (await internet.slackQuestions()).slice(before);
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
		const told = (await internet.slackMessages()).length;
		await open(questions[0]?.urls.Unfreeze);
		expect((await end(execution)).status).toBe('success');
		expect(await status(card)).toBe('active');
		const messages = (await internet.slackMessages()).slice(told);
		expect(messages.map(({ text }) => text)).toEqual([`Unfroze the card ${title(card)}.`]);
	});

	describe('with events that are sent by hand', () => {
		beforeAll(() => environment().company.sandbox.unsubscribe({ id: automation.endpointId }));

		beforeEach(async () => {
			const { api, active } = environment().company;
			for (const { id } of active) await api.unfreeze(id);
		});

		it.each([
			['a smaller purchase', { amount: '999.99' }],
			['a declined purchase', { isSuccess: false }],
			['a refund', { amountDirection: 'credit' }],
			['a reversal', { isReversal: true }],
		])('does nothing about %s', async (_, changes) => {
			const { company, internet } = environment();
			const [card, other] = company.active;
			const questions = (await internet.slackQuestions()).length;
			const event = cardEvent(card.id, { amount: '1000.00', ...changes });
			expect(
				await deliver(automation.webhookUrl, signedDelivery(event, automation.signingSecret)),
			).toBe(200);
			// Its execution shows that n8n is done with what came before.
			await ask(other.id);
			expect((await internet.slackQuestions()).length).toBe(questions + 1);
			expect(await status(card)).toBe('active');
		});

		it('keeps the card frozen if that is the answer, whatever is clicked after it', async () => {
			const [card] = environment().company.active;
			const { execution, urls, messages } = await ask(card.id);
			await open(urls['Keep Frozen']);
			expect((await end(execution)).status).toBe('success');
			await open(urls.Unfreeze);
			await open(urls['Keep Frozen']);
			expect(await status(card)).toBe('frozen');
			expect(await messages()).toEqual([
				`The card ${title(card)} stays frozen: Keep Frozen was chosen.`,
			]);
		});

		it('unfreezes once, and leaves a later freeze alone when the link is clicked again', async () => {
			const { api, active } = environment().company;
			const [card] = active;
			const { execution, urls, messages } = await ask(card.id);
			await open(urls.Unfreeze);
			await end(execution);
			await api.changeCard(card.id, 'freeze');
			await open(urls.Unfreeze);
			expect(await status(card)).toBe('frozen');
			expect(await messages()).toEqual([`Unfroze the card ${title(card)}.`]);
		});

		it('takes neither Slack’s preview of a link nor a forged link for an answer', async () => {
			const [card] = environment().company.active;
			const { execution, urls, messages } = await ask(card.id);
			await open(urls.Unfreeze, linkPreview);
			const forged = new URL(urls['Keep Frozen'] ?? '');
			forged.searchParams.set('approved', 'true');
			await open(forged.href);
			await open(urls['Keep Frozen']);
			expect((await end(execution)).status).toBe('success');
			expect(await status(card)).toBe('frozen');
			expect(await messages()).toEqual([expect.stringContaining('Keep Frozen was chosen')]);
		});

		it('says that a card stays frozen when nobody answers', async () => {
			const [card] = environment().company.active;
			const soon = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
			const nodes = file.nodes.map((node) => {
				if (node.name !== 'Ask in Slack') return node;
				const { parameters } = askSchema.parse(node);
				const options = { ...parameters.options, limitWaitTime: { values: soon } };
				return { ...node, parameters: { ...parameters, options } };
			});
			const own = await importSubscribed(environment(), { ...file, nodes });
			const { execution, urls, messages } = await ask(card.id, {}, own);
			expect((await end(execution)).status).toBe('success');
			await open(urls.Unfreeze);
			expect(await status(card)).toBe('frozen');
			expect(await messages()).toEqual([
				`The card ${title(card)} stays frozen: There was no answer.`,
			]);
		});

		it('as it is imported, freezes the card and asks nobody', async () => {
			const [card] = environment().company.active;
			const own = await importSubscribed(environment(), imported);
			const { execution, questions, messages } = await ask(card.id, {}, own);
			expect([execution.status, questions, await messages()]).toEqual(['success', [], []]);
			expect(await status(card)).toBe('frozen');
			expect(outputOf(execution, 'Write the result').items).toEqual([
				{ done: true, text: `The card ${title(card)} stays frozen: There was no answer.` },
			]);
		});

		it.each([
			['Unfreeze', 'Unfroze the card #.'],
			[
				'Keep Frozen',
				'The card # is active: someone unfroze it elsewhere. Keep Frozen was chosen.',
			],
		])('says what is true of a card that was unfrozen before %s', async (label, said) => {
			const [card] = environment().company.active;
			const { execution, urls, messages } = await ask(card.id);
			await environment().company.api.unfreeze(card.id);
			await open(urls[label]);
			expect((await end(execution)).status).toBe('success');
			expect(await status(card)).toBe('active');
			expect(await messages()).toEqual([said.replace('#', title(card))]);
		});

		it.each([
			['Unfreeze', 'The card # cannot be unfrozen: it has been archived.'],
			['Keep Frozen', 'The card # has been archived since it was frozen.'],
		])('says what is true of a card that was archived before %s', async (label, said) => {
			const { api, account } = environment().company;
			const card = await api.card(await api.createCard(`Archived before ${label}`, account.id));
			const { execution, urls, messages } = await ask(card.id);
			await api.changeCard(card.id, 'archive');
			await open(urls[label]);
			expect((await end(execution)).status).toBe('success');
			expect(await messages()).toEqual([said.replace('#', title(card))]);
		});

		it('asks once about an event that arrives twice', async () => {
			const { api, active } = environment().company;
			const [card, other] = active;
			const { internet } = environment();
			const { event, questions } = await ask(card.id);
			expect(questions).toHaveLength(1);
			await api.unfreeze(card.id);
			const count = (await internet.slackQuestions()).length;
			const again = signedDelivery(event, automation.signingSecret);
			expect(await deliver(automation.webhookUrl, again)).toBe(200);
			// Its execution shows that n8n is done with what came before.
			await ask(other.id);
			expect(await internet.slackQuestions()).toHaveLength(count + 1);
			expect(await status(card)).toBe('active');
		});

		it('does not ask about a card that someone else has frozen, or archived', async () => {
			const { api, active, cards } = environment().company;
			const [card] = active;
			await api.changeCard(card.id, 'freeze');
			const archived = cards.find(({ status: each }) => each === 'archived');
			for (const id of [card.id, archived?.id ?? '']) {
				const { execution, questions, messages } = await ask(id);
				expect([execution.status, questions, await messages()]).toEqual(['success', [], []]);
			}
		});

		it('says that a card could not be frozen, and shows the execution as failed', async () => {
			const id = '00000000-0000-4000-8000-000000000000';
			const { execution, questions, messages } = await ask(id);
			expect([execution.status, questions]).toEqual(['error', []]);
			const [text = ''] = await messages();
			expect(text).toMatch(/^COULD NOT FREEZE the card 0{8}-.* Freeze it by hand. Reason: .+/);
			expect(outputOf(execution, 'Fail the execution').error).toBe(text);
		});

		it('says that a card could not be unfrozen, and shows the execution as failed', async () => {
			const { sandbox, active } = environment().company;
			const [card] = active;
			const { execution, urls, messages } = await ask(card.id);
			await sandbox.setFeatures(environment().company.account.id, { cardManagement: false });
			await open(urls.Unfreeze);
			const ended = await end(execution).finally(() =>
				sandbox.setFeatures(environment().company.account.id, { cardManagement: true }),
			);
			expect(ended.status).toBe('error');
			expect((await messages())[0]).toMatch(/^COULD NOT UNFREEZE the card .* Reason: .+/);
			expect(await status(card)).toBe('frozen');
		});
	});
});
