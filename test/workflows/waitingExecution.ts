import type { Execution } from '../../dev/harness/n8n/executions.ts';
import { eventIdOf, executionOf } from '../../dev/harness/scenario/purchase.ts';
import type { TestEnvironment } from './environment.ts';
import { textOf } from './mailServer.ts';

/** The link of a question that was sent by e-mail. */
export const linkIn = (mail: string): string =>
	(/href="([^"]+webhook-waiting[^"]+)"/.exec(textOf(mail))?.[1] ?? '').replaceAll('&amp;', '&');

/**
 * The execution that an event has started, once it has ended or waits for the answer to a question. n8n 1 does
 * not list executions that wait, but the newest question names its own.
 */
export async function executionThatAsks(
	{ n8n, mailServer }: TestEnvironment,
	workflowId: string,
	eventId: string,
): Promise<Execution | undefined> {
	const ended = await executionOf(n8n, workflowId, eventId);
	if (ended) return ended;
	const links = mailServer.mails.map(linkIn).filter((link) => link !== '');
	const [, id] = /webhook-waiting\/(\d+)/.exec(links.at(-1) ?? '') ?? [];
	const waiting = id === undefined ? undefined : await n8n.execution(id);
	return waiting?.status === 'waiting' && eventIdOf(waiting) === eventId ? waiting : undefined;
}
