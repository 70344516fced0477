import { randomUUID } from 'node:crypto';

import type { Execution } from '../../dev/harness/n8n/executions.ts';
import type { Card } from '../../dev/harness/publicApi.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFile, type TestEnvironment } from './environment.ts';
import { executionThatAsks } from './waitingExecution.ts';

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Who opens a link to show a preview of it. */
export const linkPreview = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

/** How the messages name a card. */
export const title = ({ name, lastFour }: Card): string => `${name} (…${lastFour})`;

/** Opens the page behind a button. */
export const open = async (url: string | undefined, userAgent = browser): Promise<string> =>
	(await fetch(url ?? '', { headers: { 'user-agent': userAgent } })).text();

/** The execution once it has ended. */
export const end = ({ n8n }: TestEnvironment, { id }: Execution): Promise<Execution> =>
	waitUntil(
		async () => {
			const execution = await n8n.execution(id);
			return ['success', 'error'].includes(execution.status) ? execution : undefined;
		},
		{ what: 'the end of the execution', withinMs: 180_000 },
	);

/** Imports the workflow as a person has it who has Slack, and makes a large purchase with a new card. */
export async function buy(environment: TestEnvironment) {
	const { company, internet } = environment;
	const automation = await importFile(environment, 'freeze-and-ask.json', (file) =>
		activated(file, 'Ask in Slack', 'Notify Slack'),
	);
	const card = await company.api.card(
		await company.api.createCard(randomUUID(), company.account.id),
	);
	const [asked, told] = [await internet.slackQuestions(), await internet.slackMessages()];
	const merchantName = "O'Neil's &lt; <!channel> & Co";
	const purchase = { cardId: card.id, amount: '1000.00', merchantName };
	const { event } = await company.sandbox.authorize(purchase);
	const execution = await waitUntil(
		() => executionThatAsks(environment, automation.workflowId, event.id),
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
