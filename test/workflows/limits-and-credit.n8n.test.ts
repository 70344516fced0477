import { requestJson } from '../../harness/tools/json.ts';
import { activated, importFor, useTestEnvironment } from './environment.ts';
import { lines, slackMessagesDuring } from './slackMessages.ts';

const environment = useTestEnvironment();

// limits-and-credit.test.ts has every share and amount.
test('"Limits and credit every morning" says nothing of a quiet day, and lists cards near their limit', async () => {
	const { n8n, company } = environment();
	const { api, apiKey, cards, sandbox } = company;
	const request = (path: string, method: 'POST' | 'PATCH', body: object) => {
		const headers = { authorization: `Bearer ${apiKey}` };
		const url = api.url + path;
		return requestJson<{ id: string; lastFour: string }>(url, { method, headers, body });
	};
	const create = async (name: string, limit: string, spent: string) => {
		const amounts = { limit: { amount: limit, type: 'monthly' } };
		const card = await request('/cards', 'POST', { name, type: 'recurring', ...amounts });
		await sandbox.authorize({ cardId: card.id, amount: spent, merchantName: 'Shop' });
		return card;
	};
	for (const { id, status } of cards) {
		if (status !== 'archived') await request(`/cards/${id}`, 'PATCH', { limit: null });
	}
	const { id } = await importFor(
		environment(),
		'limits-and-credit.json',
		{ readOnly: true },
		(file) => activated(file, 'Notify Slack'),
	);
	const run = () =>
		slackMessagesDuring(environment(), async () => {
			expect((await n8n.run(id, 'Every day at 07:00')).status).toBe('success');
		});
	expect(await run()).toEqual([]);

	const below = await create('Below', '50.00', '40.01');
	await create('Exactly', '50.00', '40.00');
	const frozen = await create('<Frozen> & Co', '100.00', '99.00');
	await api.changeCard(frozen.id, 'freeze');
	const archived = await create('Archived', '100.00', '99.00');
	await api.changeCard(archived.id, 'archive');
	expect(await run()).toEqual([
		lines(
			'Cards with less than 20 % of their limit left: 2',
			`&lt;Frozen&gt; &amp; Co (…${frozen.lastFour}): 1.00 of 100.00 (monthly), 1.0 %`,
			`Below (…${below.lastFour}): 9.99 of 50.00 (monthly), 19.9 %`,
		),
	]);
});
