import type { WorkflowStage } from './stage.ts';

/** The texts that Slack gets while `work` is done, oldest first. */
export async function toldDuring(
	{ outside }: WorkflowStage,
	work: () => Promise<unknown>,
): Promise<string[]> {
	const before = (await outside.slackMessages()).length;
	await work();
	return (await outside.slackMessages()).slice(before).map(({ text }) => text);
}

/** A text of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n');
