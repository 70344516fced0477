import { buildFirstWorkflow } from '../../harness/editor/firstWorkflow.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import { useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(900_000);

// "Your first workflow" of README.md, with the clicks of its pictures (demo/screenshots/firstWorkflow.ts).
describe('the first workflow', () => {
	it('built by hand on an empty canvas, freezes a card after a decline abroad', async () => {
		const { editor, browser, company } = environment();
		const { sandbox, api, account, active } = company;
		const [card, other] = active;
		const apiKey = await sandbox.createKey();
		const reader = new PublicApiClient(api.url, apiKey);
		expect((await reader.card(card.id)).status).toBe('active');
		const pictures: number[] = [];
		const id = await buildFirstWorkflow(
			{
				editor,
				browser,
				dashboard: `${sandbox.url}/dashboard`,
				baseUrl: api.url,
				apiKey,
				accountId: String(account.id),
				card,
			},
			async (number) => {
				pictures.push(number);
			},
		);
		expect(pictures).toEqual([1, 2, 3, 4]);
		expect((await reader.card(card.id)).status).toBe('frozen');

		// A decline at home runs, and leaves the card as it is.
		const { event } = await sandbox.authorize({
			cardId: other.id,
			amount: '649.00',
			merchantCountry: 'US',
			decline: { reason: 'suspected_fraud' },
		});
		const [newest] = await editor.n8n.waitForExecutions(id, 2);
		expect(newest.nodes.map(({ name }) => name)).toEqual(['Declined purchase', 'Suspicious?']);
		expect(newest.nodes[0]?.items).toEqual([expect.objectContaining({ id: event.id })]);
		expect((await reader.card(other.id)).status).toBe('active');
		const message = expect.stringMatching(
			/^The card is frozen after a decline at ELEKTRONIK OUTLET$/,
		);
		const [, first] = await editor.n8n.executions(id);
		expect(first?.nodes.at(-1)?.items).toEqual([{ message }]);
	});
});
