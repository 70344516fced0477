import { randomUUID } from 'node:crypto';

import { requestJson, requestOk } from '../../dev/harness/tools/json.ts';

interface Started {
	executionId: string;
	resumeToken?: string;
}

interface Question {
	text: string;
	buttons: { text: string; link: string }[];
}

/** A browser's, as n8n takes others for bots that only preview the link. */
const headers = {
	'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** A question in the chat that a person answers with a click. */
interface ReviewQuestion {
	text: string;
	/** Clicks the button with this text. */
	click: (button: string) => Promise<void>;
}

/**
 * Says something in a public chat whose replies come one by one, as n8n's chat page does.
 *
 * @param chat the URL of the chat
 * @param review answers each question with buttons
 * @returns the agent's answer
 */
export async function sayAndReview(
	chat: string,
	chatInput: string,
	review: (question: ReviewQuestion) => Promise<void>,
): Promise<string> {
	const sessionId = randomUUID();
	const body = { action: 'sendMessage', sessionId, chatInput };
	const started = await requestJson<Started>(chat, { method: 'POST', body });
	const address = new URL('/chat', chat.replace('http', 'ws'));
	address.searchParams.set('sessionId', sessionId);
	address.searchParams.set('executionId', started.executionId);
	address.searchParams.set('isPublic', 'true');
	if (started.resumeToken) address.searchParams.set('token', started.resumeToken);
	const socket = new WebSocket(address);
	const answer = new Promise<string>((resolve, reject) => {
		socket.addEventListener('message', ({ data }) => {
			const text = data as string;
			if (text === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
			if (text.startsWith('n8n|')) return;
			if (!text.startsWith('{')) {
				resolve(text);
				return;
			}
			const question = JSON.parse(text) as Question;
			const click = async (name: string) => {
				const { link = '' } = question.buttons.find((button) => button.text === name) ?? {};
				await requestOk(link, { headers });
			};
			review({ text: question.text, click }).catch(reject);
		});
		socket.addEventListener('close', () => {
			reject(new Error('The chat has been closed'));
		});
	});
	try {
		return await answer;
	} finally {
		socket.close();
	}
}
