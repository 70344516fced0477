import type { WorkflowStage } from './stage.ts';

/** The texts that Slack gets while `work` is done, oldest first. */
export async function toldDuring(
	{ fakeInternet }: WorkflowStage,
	work: () => Promise<unknown>,
): Promise<string[]> {
	const before = (await fakeInternet.slackMessages()).length;
	await work();
	return (await fakeInternet.slackMessages()).slice(before).map(({ text }) => text);
}

/** A text of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n');
