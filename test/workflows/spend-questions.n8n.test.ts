import { randomUUID } from 'node:crypto';

import { requestJson } from '../../dev/harness/tools/json.ts';
import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { say } from './editorChat.ts';
import { importFor, type LiveWorkflow, useTestEnvironment } from './environment.ts';
import { type StandInModel, startStandInModel, type ToolCall } from './standInModel.ts';

/** Each tool, and what the model is asked for, in alphabetical order. */
const parameters = {
	Get_balance: [],
	List_cards: ['limit'],
	List_transactions: ['createdAfter', 'createdBefore', 'limit'],
	List_for_one_card: ['cardId', 'createdAfter', 'createdBefore', 'limit'],
	List_card_events: ['cardId', 'limit'],
	List_payments: ['from', 'limit', 'to'],
	Add_up_amounts: ['amounts'],
};

const environment = useTestEnvironment();

// Tests the workflow of the AI agent, with a stand-in for the model and the chat of the editor.
describe('"Questions on spend"', () => {
	let model: StandInModel;
	let proxy: ChangingProxy;
	let live: LiveWorkflow;

	beforeAll(async () => {
		model = await startStandInModel();
		proxy = await startChangingProxy(environment().company.api.url);
		const provider = { apiKey: 'none', url: model.url };
		const credential = await environment().n8n.addCredential('openAiApi', provider);
		const key = { baseUrl: proxy.url, readOnly: true };
		const more = { '@n8n/n8n-nodes-langchain.lmChatOpenAi': credential };
		const file = 'spend-questions-ai-agent.json';
		live = await importFor(environment(), file, key, undefined, more);
	}, 400_000);

	afterAll(async () => {
		await model.close();
		await proxy.close();
	});

	/** Asks a question while the model is to call these tools; gives the answer. */
	const ask = async (calls: ToolCall[], sessionId: string = randomUUID()) => {
		model.willCall(...calls);
		const chat = { workflowId: live.id, trigger: 'Question', sessionId };
		return say(environment().n8n, chat, 'What did we spend?');
	};

	it('offers the model seven tools and the rules, and remembers what was said in the chat', async () => {
		const session = randomUUID();
		const first = await ask([{ name: 'Get_balance', arguments: {} }], session);
		await ask([], session);
		const { tools = [], messages = [] } = model.asked.at(-1) ?? {};
		const offered = tools.map(({ function: tool }) => [
			tool.name,
			Object.keys(tool.parameters.properties).toSorted(),
		]);
		expect(Object.fromEntries(offered)).toEqual(parameters);
		for (const { function: tool } of tools) expect(tool.description).toMatch(/^.{40,}\.$/);
		expect(messages[0]?.content).toContain('You can only read');
		expect(messages[0]?.content).toMatch(/Now it is \d{4}-\d\d-\d\dT/);
		expect(messages.map(({ content }) => content)).toContainEqual(expect.stringContaining(first));
	});

	it('looks up what it is asked for, and an empty filter is an error', async () => {
		const [card] = environment().company.active;
		const filter = {
			cardId: card.id,
			createdAfter: new Date(Date.now() - 60 * 86_400_000).toISOString(),
			createdBefore: new Date().toISOString(),
		};
		const lookUp = (more: object) =>
			ask([{ name: 'List_for_one_card', arguments: { ...filter, ...more } }]);
		const { api, apiKey } = environment().company;
		const url = `${api.url}/transactions?${new URLSearchParams(filter).toString()}`;
		const headers = { authorization: `Bearer ${apiKey}` };
		const { data } = await requestJson<{ data: unknown[] }>(url, { headers });
		expect(data.length).toBeGreaterThan(2);
		expect(JSON.parse(await lookUp({ limit: 2 }))).toEqual(data.slice(0, 2));
		proxy.requests.splice(0);
		expect(await lookUp({ cardId: '' })).toContain('Card is empty');
		expect(proxy.requests).toEqual([]);

		const sum = await ask([{ name: 'Add_up_amounts', arguments: { amounts: ['0.10', '0.20'] } }]);
		expect(sum).toContain('0.30');
	});
});
