import type { Browser } from 'playwright-core';

import { startBrowser } from '../../dev/harness/editor/browser.ts';
import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { toReadable } from '../../nodes/CardPlatform/events/item';
import { cardEvent } from '../trigger/events.ts';
import { activated, importFile, useTestEnvironment } from './environment.ts';
import { answer, buy, end, title } from './freezeAndAsk.ts';
import { textOf } from './mailServer.ts';

const environment = useTestEnvironment();
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(() => browser.close());

describe('"Freeze and ask"', () => {
	it('freezes the card of a large purchase at once, asks by e-mail, and unfreezes it once', async () => {
		const { api } = environment().company;
		const { card, execution, mail, url, status } = await buy(environment());
		expect([execution.status, await status()]).toEqual(['waiting', 'frozen']);
		expect(mail).toContain('To: cards@example.com');
		expect(textOf(mail)).toContain(`Froze ${title(card)}`);
		expect(textOf(mail)).toContain("O'Neil's &amp;lt; &lt;b>channel&lt;/b> &amp; Co");

		// What a mail filter does.
		for (const method of ['GET', 'HEAD']) await fetch(url, { method });
		expect((await environment().n8n.execution(execution.id)).status).toBe('waiting');
		expect(await status()).toBe('frozen');

		const page = await answer(browser, url, 'Unfreeze');
		expect(page).toContain("O'Neil's &lt; <b>channel</b> & Co");
		const ended = await end(environment(), execution);
		expect(outputOf(ended, 'Unfrozen').items).toMatchObject([
			{ summary: `Unfroze ${title(card)}` },
		]);
		expect(await status()).toBe('active');

		await api.changeCard(card.id, 'freeze');
		await fetch(url, { method: 'POST', body: new FormData() });
		expect(await status()).toBe('frozen');
	});

	it('takes no answer from a forged link, and leaves the card as it is after Keep Frozen', async () => {
		const { execution, url, status } = await buy(environment());
		const forged = new URL(url);
		forged.searchParams.set('signature', 'a'.repeat(64));
		for (const method of ['GET', 'POST'])
			expect((await fetch(forged, { method })).status).toBe(401);
		await answer(browser, url, 'Keep Frozen');
		const ended = await end(environment(), execution);
		expect(ended.status).toBe('success');
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
		const event = toReadable({ ...cardEvent(cardId, { amount: '1000.00' }) }, false);
		const before = (await internet.slackQuestions()).length;
		const { nodes } = await n8n.run(workflowId, 'Large purchase', [event]);
		expect(nodes.at(-1)?.name).toBe('Nothing to do');
		expect(await internet.slackQuestions()).toHaveLength(before);

		await company.api.changeCard(cardId, 'unfreeze');
		await company.sandbox.authorize({ cardId, amount: '1000.00' });
		const asked = async () => (await internet.slackQuestions()).slice(before);
		await expect(
			waitUntil(async () => ((await asked()).length > 0 ? asked() : undefined), {
				what: 'the question',
				withinMs: 60_000,
			}),
		).resolves.toMatchObject([{ channel: '#card-alerts', urls: { Decide: expect.any(String) } }]);
	});
});
