import type { TestEnvironment } from './environment.ts';

/** The texts of the emails that n8n sends while `work` is done, oldest first. */
export async function messagesDuring(
	{ mailServer: { mails } }: TestEnvironment,
	work: () => Promise<unknown>,
): Promise<string[]> {
	const before = mails.length;
	await work();
	return mails.slice(before).map(({ text }) => text);
}

/** A message with its time as "now"; only a time as people write it is replaced. */
export const timeless = (text: string): string =>
	text.replace(/(?<=^Time: )\d+ \w{3} 20\d\d, \d\d:\d\d .+$/m, 'now');

/** A string of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n');
