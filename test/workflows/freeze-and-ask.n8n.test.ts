import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';

import { startBrowser } from '../../dev/harness/editor/browser.ts';
import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, eventItem, importFile, useTestEnvironment } from './environment.ts';

const environment = useTestEnvironment();
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(() => browser.close());

/** An execution once it has one of these statuses. */
const executionOnce = (id: string, ...statuses: readonly string[]) =>
	waitUntil(
		async () => {
			const execution = await environment().n8n.execution(id);
			return statuses.includes(execution.status) ? execution : undefined;
		},
		{ what: `the execution to be ${statuses.join(' or ')}`, withinMs: 120_000 },
	);

/** Makes a large purchase with a new card, which is frozen and asked about by email. */
async function buy() {
	const { company, mailServer } = environment();
	const { endpointId } = await importFile(environment(), 'freeze-and-ask.json', (file) =>
		activated(file, 'Ask by email'),
	);
	const card = await company.api.card(
		await company.api.createCard(randomUUID(), company.account.id),
	);
	mailServer.mails.splice(0);
	const merchantName = "O'Neil's &lt; <b>channel</b> & Co";
	const purchase = { cardId: card.id, amount: '1000.00', merchantName, merchantCountry: 'RO' };
	await company.sandbox.authorize(purchase);
	const mail = await waitUntil(() => Promise.resolve(mailServer.mails[0]), {
		what: 'the question',
		withinMs: 90_000,
	});
	await company.sandbox.unsubscribe({ id: endpointId });
	const [, link = ''] = /href="([^"]+webhook-waiting[^"]+)"/.exec(mail.text) ?? [];
	const [, id = ''] = /webhook-waiting\/(\d+)/.exec(link) ?? [];
	await executionOnce(id, 'waiting');
	return {
		...{ id, mail, card, title: `${card.name} (•••• ${card.lastFour})` },
		url: link.replaceAll('&amp;', '&'),
		status: async () => (await company.api.card(card.id)).status,
	};
}

/** Opens the page of a question, chooses an answer and sends it; gives what the page said before. */
async function answer(url: string, choice: string): Promise<string> {
	const page = await browser.newPage();
	await page.goto(url);
	const text = await page.locator('body').innerText();
	await page.getByLabel(choice, { exact: true }).check();
	const sent = page.waitForResponse((response) => response.request().method() === 'POST');
	await page.getByRole('button', { name: 'Send the answer' }).click();
	await sent;
	await page.close();
	return text;
}

describe('"Freeze and ask"', () => {
	it('freezes the card of a large purchase at once, asks by email, and unfreezes it once', async () => {
		const { id, mail, card, title, url, status } = await buy();
		expect(await status()).toBe('frozen');
		expect(mail.to).toMatchObject([{ address: 'cards@example.com' }]);
		expect(mail.text).toContain(`Froze ${title}`);
		expect(mail.text).toContain("O'Neil's &amp;lt; &lt;b>channel&lt;/b> &amp; Co");

		// What a mail filter does.
		for (const method of ['GET', 'HEAD']) await fetch(url, { method });
		await executionOnce(id, 'waiting');
		expect(await status()).toBe('frozen');

		expect(await answer(url, 'Unfreeze')).toContain("O'Neil's &lt; <b>channel</b> & Co");
		const ended = await executionOnce(id, 'success', 'error');
		expect(outputOf(ended, 'Unfrozen').items).toMatchObject([{ summary: `Unfroze ${title}` }]);
		expect(await status()).toBe('active');

		await environment().company.api.changeCard(card.id, 'freeze');
		await fetch(url, { method: 'POST', body: new FormData() });
		expect(await status()).toBe('frozen');
	});

	it('takes no answer from a forged link, and leaves the card as it is after Keep Frozen', async () => {
		const { id, url, status } = await buy();
		const forged = new URL(url);
		forged.searchParams.set('signature', 'a'.repeat(64));
		for (const method of ['GET', 'POST'])
			expect((await fetch(forged, { method })).status).toBe(401);
		await answer(url, 'Keep Frozen');
		const ended = await executionOnce(id, 'success', 'error');
		expect(ended.nodes.map(({ name }) => name)).toContain('Stays frozen');
		expect(await status()).toBe('frozen');
	});

	it('asks nothing about a card that somebody else froze, and can ask in Slack', async () => {
		const { n8n, company, internet } = environment();
		const { workflowId } = await importFile(environment(), 'freeze-and-ask.json', (file) =>
			activated(file, 'Ask in Slack'),
		);
		const cardId = await company.api.createCard('Asked in Slack', company.account.id);
		await company.api.changeCard(cardId, 'freeze');
		const items = [eventItem(cardId, { amount: '1000.00' })];
		const { nodes } = await n8n.run(workflowId, 'Large purchase', items);
		expect(nodes.at(-1)?.name).toBe('Was frozen before');
		const before = (await internet.slackQuestions()).length;

		await company.api.changeCard(cardId, 'unfreeze');
		await company.sandbox.authorize({ cardId, amount: '1000.00' });
		const question = await waitUntil(async () => (await internet.slackQuestions())[before], {
			what: 'the question',
			withinMs: 60_000,
		});
		expect(question).toMatchObject({
			channel: '#card-alerts',
			urls: { Decide: expect.any(String) },
		});
	});

	it('asks nobody before a message step is on, and leaves the card frozen', async () => {
		const { n8n, company } = environment();
		const { workflowId } = await importFile(environment(), 'freeze-and-ask.json');
		const cardId = await company.api.createCard('Nobody asked', company.account.id);
		const items = [eventItem(cardId, { amount: '1000.00' })];
		const { nodes, status } = await n8n.run(workflowId, 'Large purchase', items);
		expect([status, nodes.at(-1)?.name]).toEqual(['success', 'Stays frozen']);
		expect((await company.api.card(cardId)).status).toBe('frozen');
	});
});
