import { useTestEnvironment } from './environment.ts';
import { buy, end, linkPreview, open, title } from './freezeAndAsk.ts';
import { lines } from './messages.ts';

const environment = useTestEnvironment();

// freeze-and-ask.test.ts has every answer; here, the links of the question are followed as a person does.
describe('"Freeze and ask"', () => {
	it('freezes the card of a large purchase at once, asks, and unfreezes it once', async () => {
		const { api } = environment().company;
		const { card, execution, questions, urls, status, messages } = await buy(environment());
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
		expect((await end(environment(), execution)).status).toBe('success');
		expect(await status()).toBe('active');
		await api.changeCard(card.id, 'freeze');
		await open(urls.Unfreeze);
		expect(await status()).toBe('frozen');
		expect(await messages()).toEqual([`Unfroze the card ${title(card)}.`]);
	});

	it('takes neither Slack’s preview of a link nor a forged link for an answer, and the first answer only', async () => {
		const { card, execution, urls, status, messages } = await buy(environment());
		await open(urls.Unfreeze, linkPreview);
		const forged = new URL(urls['Keep Frozen'] ?? '');
		forged.searchParams.set('approved', 'true');
		await open(forged.href);
		await open(urls['Keep Frozen']);
		expect((await end(environment(), execution)).status).toBe('success');
		await open(urls.Unfreeze);
		expect(await status()).toBe('frozen');
		expect(await messages()).toEqual([
			`The card ${title(card)} stays frozen: Keep Frozen was chosen.`,
		]);
	});
});
