import type { WorkflowFile } from '../../harness/n8n/workflow.ts';
import type { TestEnvironment } from './environment.ts';

/** The texts that Slack gets while `work` is done, oldest first. */
export async function slackMessagesDuring(
	{ internet }: TestEnvironment,
	work: () => Promise<unknown>,
): Promise<string[]> {
	const before = (await internet.slackMessages()).length;
	await work();
	return (await internet.slackMessages()).slice(before).map(({ text }) => text);
}

/** What n8n sends to the internet while `work` is done, with the Slack channel if there is one. */
export async function sentDuring(
	{ internet }: TestEnvironment,
	work: () => Promise<unknown>,
): Promise<{ url: string; channel: string | undefined }[]> {
	const before = (await internet.requests()).length;
	await work();
	const sent = (await internet.requests()).slice(before);
	return sent.map(({ url, body }) => ({
		url,
		channel: (JSON.parse(body) as { channel?: string }).channel,
	}));
}

/** A workflow that notifies a channel which Slack does not have. */
export function withMissingChannel(file: WorkflowFile): WorkflowFile {
	const channelId = { __rl: true, mode: 'name', value: '#no-such-channel' };
	const nodes = file.nodes.map((node) =>
		node.name === 'Notify Slack'
			? { ...node, disabled: false, parameters: { ...Object(node.parameters), channelId } }
			: node,
	);
	return { ...file, nodes };
}

/** A string of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n');
