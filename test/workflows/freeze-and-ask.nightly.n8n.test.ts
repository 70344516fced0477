import { useTestEnvironment } from './environment.ts';
import { buy, end, open, title } from './freezeAndAsk.ts';

const environment = useTestEnvironment();

// n8n looks once a minute for executions whose time is up.
test('"Freeze and ask" says that a card stays frozen when nobody answers', async () => {
	const soon = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const { card, execution, urls, status, messages } = await buy(environment(), (file) => ({
		...file,
		nodes: file.nodes.map((node) => {
			if (node.name !== 'Ask in Slack') return node;
			const parameters = node.parameters as { options: object };
			const options = { ...parameters.options, limitWaitTime: { values: soon } };
			return { ...node, parameters: { ...parameters, options } };
		}),
	}));
	expect((await end(environment(), execution)).status).toBe('success');
	await open(urls.Unfreeze);
	expect(await status()).toBe('frozen');
	expect(await messages()).toEqual([`The card ${title(card)} stays frozen: There was no answer.`]);
});
