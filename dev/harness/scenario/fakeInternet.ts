import { requestJson } from '../tools/json.ts';

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

/** A message as n8n posts it to Slack: one with buttons has blocks. */
interface Posted {
	channel: string;
	text?: string;
	blocks?: { text?: { text: string }; elements?: { text: { text: string }; url: string }[] }[];
}

/**
 * The internet as a test's n8n sees it: Slack, which has every channel but #no-such-channel, and nobody
 * else. This machine is reached directly.
 */
export type FakeInternet = Awaited<ReturnType<typeof attachInternet>>;

/** Attaches to a running internet, and ignores what was sent before. */
export async function attachInternet({ url }: InternetAddress) {
	const allSent = () => requestJson<SentRequest[]>(`${url}/sent`);
	const before = (await allSent()).length;

	/** All that n8n has sent to the internet since, oldest first. */
	const requests = async () => (await allSent()).slice(before);

	const posted = async () =>
		(await requests())
			.filter(({ url }) => url.startsWith('https://slack.com/api/chat.postMessage'))
			.map(({ body }) => JSON.parse(body) as Posted);

	return {
		url,
		requests,
		/** The messages that Slack has received since, oldest first; not those with buttons. */
		slackMessages: async () =>
			(await posted()).flatMap(({ channel, text }) =>
				text === undefined ? [] : { channel, text },
			),
		/**
		 * The messages with buttons that Slack has received since, oldest first; `urls` are the pages that they
		 * open, by their labels.
		 */
		slackQuestions: async () =>
			(await posted()).flatMap(({ channel, blocks }) => {
				if (blocks === undefined) return [];
				const texts = blocks.map(({ text }) => text?.text ?? '');
				const buttons = blocks.flatMap(({ elements = [] }) => elements);
				const urls = Object.fromEntries(buttons.map(({ text, url }) => [text.text, url]));
				return [{ channel, text: texts.find((text) => text.trim() !== '') ?? '', urls }];
			}),
	};
}
