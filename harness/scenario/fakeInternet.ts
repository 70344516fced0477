import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { requestJson } from '../tools/json.ts';
import { startProcess, stopProcess } from '../tools/processes.ts';
import { waitUntil } from '../tools/waiting.ts';
import type { RunContext } from './sandboxFixture.ts';

const startedSchema = z.object({ url: z.string(), certificate: z.string() });
const sentSchema = z.array(
	z.object({
		method: z.string(),
		url: z.string(),
		headers: z.record(z.unknown()),
		body: z.string(),
	}),
);
const messageSchema = z.object({ channel: z.string(), text: z.string() });

const questionSchema = z
	.object({
		channel: z.string(),
		blocks: z.array(
			z.object({
				text: z.object({ text: z.string() }).optional(),
				elements: z
					.array(z.object({ text: z.object({ text: z.string() }), url: z.string() }))
					.optional(),
			}),
		),
	})
	.transform(({ channel, blocks }) => ({
		channel,
		text: blocks.map(({ text }) => text?.text ?? '').find((text) => text.trim() !== '') ?? '',
		urls: Object.fromEntries(
			blocks.flatMap(({ elements }) => elements ?? []).map(({ text, url }) => [text.text, url]),
		),
	}));

/** A Slack message with buttons; `urls` are the pages that they open, by their labels. */
export type SlackQuestion = z.infer<typeof questionSchema>;

/** A message as Slack's chat.postMessage takes it. */
export type SlackMessage = z.infer<typeof messageSchema>;

/** The internet as a test's n8n sees it: Slack, which has every channel but #no-such-channel, and nobody else. This machine is reached directly. */
export class FakeInternet {
	readonly url: string;
	/** Settings that make an n8n go through it. */
	readonly settings: Readonly<Record<string, string>>;
	readonly #before: number;

	private constructor({ url, settings }: Pick<FakeInternet, 'url' | 'settings'>, before: number) {
		this.url = url;
		this.settings = settings;
		this.#before = before;
	}

	/** Attaches to a running internet.ts, and ignores what was sent before. */
	static async attach(running: Pick<FakeInternet, 'url' | 'settings'>): Promise<FakeInternet> {
		return new FakeInternet(running, (await sentTo(running)).length);
	}

	/** All that n8n has sent to the internet since, oldest first. */
	async requests(): Promise<z.infer<typeof sentSchema>> {
		return (await sentTo(this)).slice(this.#before);
	}

	/** The messages that Slack has received since, oldest first; not those with buttons. */
	async slackMessages(): Promise<SlackMessage[]> {
		return (await this.#slackBodies()).flatMap((body) => messageSchema.safeParse(body).data ?? []);
	}

	/** The messages with buttons that Slack has received since, oldest first. */
	async slackQuestions(): Promise<SlackQuestion[]> {
		return (await this.#slackBodies()).flatMap((body) => questionSchema.safeParse(body).data ?? []);
	}

	async #slackBodies(): Promise<unknown[]> {
		return (await this.requests())
			.filter(({ url }) => url.startsWith('https://slack.com/api/chat.postMessage'))
			.map(({ body }): unknown => JSON.parse(body));
	}
}

/** Starts an internet for an n8n. Throws when it does not come up. */
export async function startFakeInternet({ folder, cleanup }: RunContext): Promise<FakeInternet> {
	let output = '';
	const program = startProcess(
		process.execPath,
		[join(import.meta.dirname, 'fakeInternetServer.ts')],
		{
			onOutput: (text) => (output += text),
			channel: true,
		},
	);
	cleanup.defer(() => stopProcess(program));
	const line = await waitUntil(() => /^\{.*\}$/m.exec(output)?.[0], {
		what: 'the stand-in for the internet',
		withinMs: 60_000,
	}).catch((error: unknown) => {
		throw new Error(`It said: ${output}`, { cause: error });
	});
	const { url, certificate } = startedSchema.parse(JSON.parse(line));
	const certificateFile = join(folder, 'internet.pem');
	await writeFile(certificateFile, certificate);
	const settings = {
		HTTP_PROXY: url,
		HTTPS_PROXY: url,
		// Not localhost: a node that avoids the proxy by itself can be seen to do so.
		NO_PROXY: '127.0.0.1',
		NODE_EXTRA_CA_CERTS: certificateFile,
	};
	return FakeInternet.attach({ url, settings });
}

async function sentTo({ url }: Pick<FakeInternet, 'url'>): Promise<z.infer<typeof sentSchema>> {
	return requestJson(`${url}/sent`, sentSchema);
}
