import { z } from 'zod';

import { requestJson } from '../tools/json.ts';
import type { Rows } from './fakeSpreadsheets.ts';

/** A request that n8n sent to the internet. */
export interface SentRequest {
	method: string;
	url: string;
	headers: Record<string, unknown>;
	body: string;
}

/** A running internet of fakeInternetServer.ts, and the settings that make an n8n go through it. */
export interface InternetAddress {
	url: string;
	settings: Readonly<Record<string, string>>;
}

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

/**
 * The internet as a test's n8n sees it: Slack, which has every channel but #no-such-channel, Google Sheets
 * with every spreadsheet, and nobody else. This machine is reached directly.
 */
export class FakeInternet {
	readonly url: string;
	readonly #before: number;

	private constructor(url: string, before: number) {
		this.url = url;
		this.#before = before;
	}

	/** Attaches to a running internet, and ignores what was sent before. */
	static async attach({ url }: InternetAddress): Promise<FakeInternet> {
		return new FakeInternet(url, (await sentTo(url)).length);
	}

	/** All that n8n has sent to the internet since, oldest first. */
	async requests(): Promise<SentRequest[]> {
		return (await sentTo(this.url)).slice(this.#before);
	}

	/** The messages that Slack has received since, oldest first; not those with buttons. */
	async slackMessages(): Promise<SlackMessage[]> {
		return (await this.#slackBodies()).flatMap((body) => messageSchema.safeParse(body).data ?? []);
	}

	/** The messages with buttons that Slack has received since, oldest first. */
	async slackQuestions(): Promise<SlackQuestion[]> {
		return (await this.#slackBodies()).flatMap((body) => questionSchema.safeParse(body).data ?? []);
	}

	/** The rows of a Google sheet. */
	async rows(spreadsheet: string, title: string): Promise<Rows> {
		const query = new URLSearchParams({ spreadsheet, title });
		return requestJson(`${this.url}/rows?${query.toString()}`);
	}

	async #slackBodies(): Promise<unknown[]> {
		return (await this.requests())
			.filter(({ url }) => url.startsWith('https://slack.com/api/chat.postMessage'))
			.map(({ body }): unknown => JSON.parse(body));
	}
}

async function sentTo(url: string): Promise<SentRequest[]> {
	return requestJson(`${url}/sent`);
}
