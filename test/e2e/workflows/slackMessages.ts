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

/** A text of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n');
