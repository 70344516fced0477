import { requestJson } from '../../dev/harness/tools/json.ts';
import { activated, importFor, useTestEnvironment } from './environment.ts';
import { lines, messagesDuring } from './messages.ts';

const environment = useTestEnvironment();

// limits-and-credit.test.ts has every share and amount.
test('"Limits and credit every morning" says nothing of a quiet day, and lists cards near their limit', async () => {
	const { n8n, company } = environment();
	const { api, apiKey, cards, sandbox } = company;
	const change = (path: string, method: 'POST' | 'PATCH', body: object) => {
		const headers = { authorization: `Bearer ${apiKey}` };
		return requestJson<{ id: string; lastFour: string }>(api.url + path, { method, headers, body });
	};
	for (const { id, status } of cards) {
		if (status !== 'archived') await change(`/cards/${id}`, 'PATCH', { limit: null });
	}
	const { id } = await importFor(
		environment(),
		'limits-and-credit.json',
		{ readOnly: true },
		(file) => activated(file, 'Send email'),
	);
	const run = () =>
		messagesDuring(environment(), async () => {
			expect((await n8n.run(id, 'Every day at 07:00')).status).toBe('success');
		});
	expect(await run()).toEqual([]);

	const limit = { amount: '50.00', type: 'monthly' };
	const card = await change('/cards', 'POST', { name: '<Near> & Co', type: 'recurring', limit });
	await sandbox.authorize({ cardId: card.id, amount: '40.01', merchantName: 'Shop' });
	expect(await run()).toEqual([
		lines(
			'Cards with less than 20 % of their limit left: 1',
			`<Near> & Co (•••• ${card.lastFour}): 9.99 of 50.00 (monthly), 19.9 %`,
		),
	]);
});
