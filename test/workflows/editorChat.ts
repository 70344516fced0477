import type { N8nClient } from '../../dev/harness/n8n/client.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { requestJson } from '../../dev/harness/tools/json.ts';

/** A chat of the editor: a workflow, the name of its chat trigger, and the id of the conversation. */
interface EditorChat {
	workflowId: string;
	trigger: string;
	sessionId: string;
}

/** Says something in the editor's chat, as a person who builds a workflow does; gives the answer. */
export async function say(
	n8n: N8nClient,
	{ workflowId, trigger, sessionId }: EditorChat,
	chatInput: string,
): Promise<string> {
	const body = { action: 'sendMessage', sessionId, chatInput };
	if (!n8nIsSince('2')) {
		const { nodes } = await n8n.run(workflowId, trigger, [body]);
		// There, a tool that fails ends the execution.
		const error = nodes.find((node) => node.error !== undefined)?.error;
		return error ?? (nodes.at(-1)?.items[0] as { output: string }).output;
	}
	await n8n.listenForTestEvent(workflowId, trigger, { chatSessionId: sessionId });
	const address = `${n8n.url}/webhook-test/${workflowId}/${sessionId}`;
	return (await requestJson<{ output: string }>(address, { method: 'POST', body })).output;
}
