import { buildFirstWorkflow } from '../../dev/harness/editor/firstWorkflow.ts';
import { PublicApiClient } from '../../dev/harness/publicApi.ts';
import { useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(900_000);

// "Your first workflow" of README.md, with the clicks of its pictures (dev/demo/screenshots/firstWorkflow.ts).
describe('the first workflow', () => {
	it('built by hand on an empty canvas, freezes a card after a decline abroad, not at home', async () => {
		const { editor, browser, company } = environment();
		const { sandbox, api, account, active } = company;
		const [card] = active;
		const apiKey = await sandbox.createKey();
		const reader = new PublicApiClient(api.url, apiKey);
		expect((await reader.card(card.id)).status).toBe('active');
		const pictures: number[] = [];
		const { id, clicks } = await buildFirstWorkflow(
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
		// Two more than with npm start: n8n has credentials already, so each new one is chosen from a list.
		expect(clicks).toBeLessThanOrEqual(43);
		expect((await reader.card(card.id)).status).toBe('frozen');

		const executions = await editor.n8n.waitForExecutions(id, 1);
		expect(executions.map(({ nodes }) => nodes.map(({ name }) => name))).toEqual([
			['Card Platform Trigger', 'Freeze card'],
		]);
		const { name, lastFour } = card;
		expect(executions[0].nodes.at(-1)?.items).toMatchObject([{ name, lastFour, status: 'frozen' }]);
	});
});
