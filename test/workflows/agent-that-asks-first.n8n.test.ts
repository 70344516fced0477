import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { importFor, useTestEnvironment, withParameters } from './environment.ts';
import { sayAndReview } from './reviewChat.ts';
import { type StandInModel, startStandInModel } from './standInModel.ts';

/** Public, so that the test needs no editor. */
const withPublicChat = (file: WorkflowFile): WorkflowFile =>
	withParameters(file, 'Question', { public: true });

const environment = useTestEnvironment();

// Tests "Agent that asks before it acts" with a stand-in for the model, and n8n's chat.
// n8n 1 has no human review of tool calls.
(n8nIsSince('2') ? describe : describe.skip)('"Agent that asks before it acts"', () => {
	let model: StandInModel;
	let proxy: ChangingProxy;
	let chat: string;

	beforeAll(async () => {
		const { n8n, company } = environment();
		model = await startStandInModel();
		proxy = await startChangingProxy(company.api.url);
		const provider = await n8n.addCredential('openAiApi', { apiKey: 'none', url: model.url });
		const live = await importFor(
			environment(),
			'agent-that-asks-first.json',
			{ baseUrl: proxy.url },
			withPublicChat,
			{ '@n8n/n8n-nodes-langchain.lmChatOpenAi': provider },
		);
		chat = `${n8n.url}/webhook/${live.webhookId}/chat`;
	}, 400_000);

	afterAll(async () => {
		await model.close();
		await proxy.close();
	});

	const card = () => environment().company.active[1];
	const status = async () => (await environment().company.api.card(card().id)).status;
	const posts = () => proxy.requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);

	/** Has the model call a tool that asks first, and answers with this button; `more` is what else the model says. */
	const act = async (name: string, button: string, more: object = {}) => {
		proxy.requests.splice(0);
		const hitlParameters = { cardName: 'Petty cash', ...more };
		const toolParameters = { cardId: card().id };
		model.willCall({ name, arguments: { toolParameters, hitlParameters, ...more } });
		const questions: string[] = [];
		const before = await status();
		const answer = await sayAndReview(chat, 'Please act.', async ({ text, click }) => {
			questions.push(text);
			expect([posts(), await status()]).toEqual([[], before]);
			await click(button);
		});
		return { answer, questions };
	};

	it('answers questions without asking', async () => {
		model.willCall({ name: 'List_cards', arguments: {} });
		const answer = await sayAndReview(chat, 'Which cards are there?', async ({ text }) => {
			throw new Error(`asked: ${text}`);
		});
		expect(answer).toContain(card().id);
	});

	it('freezes nothing if the person declines, also if the model approves it itself', async () => {
		const { answer, questions } = await act('Freeze_a_card', 'Change nothing', { approved: true });
		expect(questions).toEqual([
			`Freeze this card?\nCard ID: ${card().id}\nName, according to the agent: Petty cash`,
		]);
		expect(answer).toContain('rejected the tool call');
		expect([posts(), await status()]).toEqual([[], 'active']);
	});

	it('freezes exactly that card once the person approves, and unfreezes it in the same way', async () => {
		const path = (verb: string) => `/cards/${card().id}/${verb}`;
		expect((await act('Freeze_a_card', 'Freeze')).questions).toHaveLength(1);
		expect([posts(), await status()]).toEqual([[path('freeze')], 'frozen']);
		const { questions } = await act('Unfreeze_a_card', 'Unfreeze');
		expect(questions).toEqual([expect.stringMatching(/^Unfreeze this card\?\n/)]);
		expect([posts(), await status()]).toEqual([[path('unfreeze')], 'active']);
	});
});
