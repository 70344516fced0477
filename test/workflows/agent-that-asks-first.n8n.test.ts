import { join } from 'node:path';

import { z } from 'zod';

import { n8nIsSince } from '../../harness/n8n/version.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { importWorkflow, useTestEnvironment } from './environment.ts';
import { type ReviewQuestion, sayAndReview } from './reviewChat.ts';
import { type StandInModel, startStandInModel } from './standInModel.ts';

const connectionsSchema = z.record(
	z.object({ ai_tool: z.array(z.array(z.object({ node: z.string() }))).optional() }),
);

const environment = useTestEnvironment();

// Tests "Agent that asks before it acts" with a stand-in for the model, and n8n's chat.
// Human review of tool calls exists since n8n 2.6.
(n8nIsSince('2.6') ? describe : describe.skip)('"Agent that asks before it acts"', () => {
	let model: StandInModel;
	let proxy: ChangingProxy;
	let file: WorkflowFile;
	let chat: string;

	beforeAll(async () => {
		const { n8n, company } = environment();
		model = await startStandInModel();
		proxy = await startChangingProxy(company.api.url);
		const provider = { apiKey: 'none', url: model.url };
		const key = { baseUrl: proxy.url, apiKey: company.apiKey, keyScope: 'account' };
		const credentials = {
			'@n8n/n8n-nodes-langchain.lmChatOpenAi': await n8n.addCredential('openAiApi', provider),
			'n8n-nodes-card-platform.cardPlatformTool': await n8n.addCredential('cardPlatformApi', key),
		};
		file = await readWorkflow(join(workflowsFolder, 'agent-that-asks-first.json'));
		// Public, so that the test needs no editor.
		const nodes = file.nodes.map((node) =>
			node.name === 'Question'
				? { ...node, parameters: { ...Object(node.parameters), public: true } }
				: node,
		);
		const live = await importWorkflow({ ...environment(), credentials }, { ...file, nodes });
		chat = `${n8n.url}/webhook/${live.webhookId}/chat`;
	}, 400_000);

	afterAll(async () => {
		await model.close();
		await proxy.close();
	});

	const card = () => environment().company.active[1];
	const status = async () => (await environment().company.api.card(card().id)).status;
	const posts = () => proxy.requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);

	/** Has the model call a tool that asks first, and answers with this button. */
	const act = async (name: string, button: string, more: object = {}) => {
		proxy.requests.splice(0);
		const parameters = { cardId: card().id };
		const shown = { cardName: 'Petty cash', ...more };
		model.willCall({
			name,
			arguments: { toolParameters: parameters, hitlParameters: shown, ...more },
		});
		const questions: string[] = [];
		const before = await status();
		const answer = await sayAndReview(
			chat,
			'Please act.',
			async ({ text, click }: ReviewQuestion) => {
				questions.push(text);
				expect(posts()).toEqual([]);
				expect(await status()).toBe(before);
				await click(button);
			},
		);
		return { answer, questions };
	};

	it('connects the tools that change a card to nothing but their questions', () => {
		const connections = connectionsSchema.parse(file.connections);
		const targets = (tool: string) => connections[tool]?.ai_tool?.flat().map(({ node }) => node);
		expect(targets('Freeze a card')).toEqual(['Ask before freezing']);
		expect(targets('Unfreeze a card')).toEqual(['Ask before unfreezing']);
		const changing = file.nodes.filter(({ type, parameters }) => {
			const { operation } = z.object({ operation: z.string().optional() }).parse(parameters ?? {});
			return type.endsWith('.cardPlatformTool') && !['get', 'getAll'].includes(operation ?? '');
		});
		expect(changing.map(({ name }) => name)).toEqual(['Freeze a card', 'Unfreeze a card']);
	});

	it('answers questions without asking', async () => {
		model.willCall({ name: 'List_cards', arguments: {} });
		const answer = await sayAndReview(chat, 'Which cards are there?', async ({ text }) => {
			throw new Error(`asked: ${text}`);
		});
		expect(answer).toContain(card().id);
	});

	it('freezes nothing if the person declines, and tells the model', async () => {
		const { answer, questions } = await act('Freeze_a_card', 'Change nothing');
		expect(questions).toEqual([
			`Freeze this card?\nCard ID: ${card().id}\nName, according to the agent: Petty cash`,
		]);
		expect(answer).toContain('rejected the tool call');
		expect(posts()).toEqual([]);
		expect(await status()).toBe('active');
	});

	it('lets no call through that the model approves itself, neither at once nor after a time', async () => {
		const { questions } = await act('Freeze_a_card', 'Change nothing', { approved: true });
		expect(questions).toHaveLength(1);
		expect(posts()).toEqual([]);
		expect(await status()).toBe('active');
		// A question whose time is up passes on what the model gave, and with it such an approval.
		const asking = file.nodes.filter(({ type }) => type.endsWith('.chatHitlTool'));
		expect(asking).toHaveLength(2);
		for (const { parameters } of asking) expect(parameters).toMatchObject({ options: {} });
		expect(JSON.stringify(asking)).not.toContain('limitWaitTime');
	});

	it('freezes exactly that card once the person approves, and unfreezes it in the same way', async () => {
		const path = (verb: string) => `/cards/${card().id}/${verb}`;
		expect((await act('Freeze_a_card', 'Freeze')).questions).toHaveLength(1);
		expect(posts()).toEqual([path('freeze')]);
		expect(await status()).toBe('frozen');

		const { questions } = await act('Unfreeze_a_card', 'Unfreeze');
		expect(questions).toEqual([expect.stringMatching(/^Unfreeze this card\?\n/)]);
		expect(posts()).toEqual([path('unfreeze')]);
		expect(await status()).toBe('active');
	});
});
