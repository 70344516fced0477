import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFor, type TestEnvironment } from './environment.ts';
import { textOf } from './mailServer.ts';
import { pollsSoon } from './pollingFile.ts';

/**
 * Publishes a workflow that watches and sends e-mails, polling every three seconds.
 *
 * @returns waits for the first e-mail that contains a string, and gives it with the number of such e-mails
 */
export async function publishWatch(
	environment: TestEnvironment,
	name: string,
	credentials: Record<string, StoredCredential> = {},
): Promise<(part: string) => Promise<{ text: string | undefined; count: number }>> {
	const { mails } = environment.mailServer;
	const change = (file: Parameters<typeof activated>[0]) => ({
		...activated(file, 'Send e-mail'),
		nodes: activated(file, 'Send e-mail').nodes.map(pollsSoon),
	});
	await importFor(environment, name, { readOnly: true }, change, credentials);
	return async (part) =>
		await waitUntil(
			async () => {
				const found = mails.map(textOf).filter((text) => text.includes(part));
				const [text] = found;
				return await Promise.resolve(
					text === undefined ? undefined : { text, count: found.length },
				);
			},
			{ what: `an e-mail with "${part}"`, withinMs: 120_000, everyMs: 250 },
		);
}
