import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';

import type { Execution } from '../../dev/harness/n8n/executions.ts';
import type { Card } from '../../dev/harness/publicApi.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFile, type TestEnvironment } from './environment.ts';
import { executionThatAsks, linkIn } from './waitingExecution.ts';

/** How the messages name a card. */
export const title = ({ name, lastFour }: Card): string => `${name} (•••• ${lastFour})`;

/** The execution once it has ended. */
export const end = ({ n8n }: TestEnvironment, { id }: Execution): Promise<Execution> =>
	waitUntil(
		async () => {
			const execution = await n8n.execution(id);
			return ['success', 'error'].includes(execution.status) ? execution : undefined;
		},
		{ what: 'the end of the execution', withinMs: 180_000 },
	);

/** Opens the page of a question, chooses an answer and sends it; gives what the page said before. */
export async function answer(browser: Browser, url: string, choice: string): Promise<string> {
	const page = await browser.newPage();
	try {
		await page.goto(url);
		const text = await page.locator('body').innerText();
		await page.getByLabel(choice, { exact: true }).check();
		const sent = page.waitForResponse((response) => response.request().method() === 'POST');
		await page.getByRole('button', { name: 'Send the answer' }).click();
		await sent;
		return text;
	} finally {
		await page.close();
	}
}

/** Imports the workflow as a person has it who asks by e-mail, and makes a large purchase with a new card. */
export async function buy(environment: TestEnvironment) {
	const { company, mailServer } = environment;
	const automation = await importFile(environment, 'freeze-and-ask.json', (file) =>
		activated(file, 'Ask by e-mail'),
	);
	const card = await company.api.card(
		await company.api.createCard(randomUUID(), company.account.id),
	);
	mailServer.mails.splice(0);
	const merchantName = "O'Neil's &lt; <b>channel</b> & Co";
	const purchase = { cardId: card.id, amount: '1000.00', merchantName, merchantCountry: 'RO' };
	const { event } = await company.sandbox.authorize(purchase);
	const execution = await waitUntil(
		() => executionThatAsks(environment, automation.workflowId, event.id),
		{ what: 'the execution', withinMs: 90_000 },
	);
	await company.sandbox.unsubscribe({ id: automation.endpointId });
	const [mail = ''] = mailServer.mails;
	return {
		...{ card, execution, mail, url: linkIn(mail) },
		status: async () => (await company.api.card(card.id)).status,
	};
}
