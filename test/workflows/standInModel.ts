import { randomUUID } from 'node:crypto';

import { json, startServer } from '../../dev/harness/httpServer';

/** What a model is asked: the conversation so far, and the tools that it may call. */
interface Asked {
	messages: { role: string; content: string }[];
	tools: { function: { name: string; description: string; parameters: { properties: object } } }[];
}

type Content = string | { text: string }[] | null | undefined;

function readQuestion(body: string): Asked {
	const { messages, tools = [] } = JSON.parse(body) as {
		messages: { role: string; content: Content }[];
		tools?: Asked['tools'];
	};
	const textOf = (content: Content) =>
		Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? '');
	return {
		tools,
		messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
	};
}

/** A tool that the model wants to have called. */
export interface ToolCall {
	name: string;
	arguments: object;
}

/** How a question is answered: by calling tools, or not at all. */
type Turn = ToolCall[] | 'fail';

/** What speaks OpenAI's language but has no model behind it: it calls what it was told to call. */
export interface StandInModel {
	/** To be put into n8n's credential for OpenAI. */
	url: string;
	/** All that it was asked, oldest first. */
	asked: Asked[];
	/** Tells it which tools to call for the next question. It then answers with what they gave. */
	willCall: (...calls: ToolCall[]) => void;
	/** The same for the next questions in turn; 'fail' refuses one, so that whoever asked fails. */
	willCallInTurn: (...turns: Turn[]) => void;
	close: () => Promise<void>;
}

/** Starts a stand-in for a chat model. */
export async function startStandInModel(): Promise<StandInModel> {
	const asked: Asked[] = [];
	let turns: Turn[] = [];
	const server = await startServer(({ body }, response) => {
		const question = readQuestion(body);
		asked.push(question);
		const turn = turns.shift() ?? [];
		if (turn === 'fail') {
			json(response, 400, { error: { message: 'The stand-in fails', type: 'invalid' } });
			return;
		}
		const message = turn.length > 0 ? toolCalls(turn) : answerFrom(question);
		json(response, 200, {
			id: `chatcmpl-${asked.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			choices: [
				{
					index: 0,
					finish_reason: turn.length > 0 ? 'tool_calls' : 'stop',
					message: { role: 'assistant', ...message },
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	});
	return {
		url: `${server.url}/v1`,
		asked,
		willCall: (...calls) => (turns = [calls]),
		willCallInTurn: (...next) => (turns = next),
		close: server.close,
	};
}

const toolCalls = (calls: ToolCall[]) => ({
	content: null,
	tool_calls: calls.map((call) => ({
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify(call.arguments) },
	})),
});

/** A text of nothing but what the tools gave. */
const answerFrom = ({ messages }: Asked) => ({
	content: messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => content)
		.join('\n'),
});
