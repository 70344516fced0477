import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestJson } from '../tools/json.ts';
import { startProcess, stopProcess } from '../tools/processes.ts';
import { waitUntil } from '../tools/waiting.ts';
import { z } from 'zod';
import type { Scene } from './stage.ts';

const startedSchema = z.object({ url: z.string(), certificate: z.string() });
const sentSchema = z.array(z.object({ method: z.string(), url: z.string(), body: z.string() }));
const messageSchema = z.object({ channel: z.string(), text: z.string() });

/** A message as Slack's chat.postMessage takes it. */
export type SlackMessage = z.infer<typeof messageSchema>;

/** The internet as a test's n8n sees it: Slack, which has every channel but #no-such-channel, and nobody else. This machine is reached directly. */
export class Outside {
	/** Settings that make an n8n go through it. */
	readonly settings: Readonly<Record<string, string>>;
	readonly #url: string;

	/** Takes the address of a running internet.ts and the file of its certificate. */
	constructor(url: string, certificateFile: string) {
		this.#url = url;
		this.settings = {
			HTTP_PROXY: url,
			HTTPS_PROXY: url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificateFile,
		};
	}

	/** All that n8n sent to the internet so far, oldest first. */
	async requests(): Promise<z.infer<typeof sentSchema>> {
		return requestJson(`${this.#url}/sent`, sentSchema);
	}

	/** The messages that Slack has got so far, oldest first. */
	async slackMessages(): Promise<SlackMessage[]> {
		return (await this.requests())
			.filter(({ url }) => url.startsWith('https://slack.com/api/chat.postMessage'))
			.map(({ body }) => messageSchema.parse(JSON.parse(body)));
	}
}

/** Starts an internet for an n8n. Throws when it does not come up. */
export async function openOutside({ folder, cleanup }: Scene): Promise<Outside> {
	let output = '';
	const program = startProcess(process.execPath, [join(import.meta.dirname, 'internet.ts')], {
		onOutput: (text) => (output += text),
		channel: true,
	});
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
	return new Outside(url, certificateFile);
}
