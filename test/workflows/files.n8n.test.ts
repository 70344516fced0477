import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { n8nFolder, workflowsFolder } from '../../dev/harness/tools/paths.ts';

interface Step {
	type: string;
	typeVersion: number;
}

/** The versions of n8n's own nodes, by their types. */
function knownVersions(): Map<string, number[]> {
	const known = new Map<string, number[]>();
	for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const file = join(n8nFolder, 'node_modules', name, 'dist', 'types', 'nodes.json');
		const types = JSON.parse(readFileSync(file, 'utf8')) as {
			name: string;
			version: number | number[];
		}[];
		for (const { name: type, version } of types) {
			const key = `${name}.${type}`;
			known.set(key, [...(known.get(key) ?? []), version].flat());
		}
	}
	// n8n makes the step that asks a person from the step that sends to the chat.
	const chat = known.get('@n8n/n8n-nodes-langchain.chat') ?? [];
	return known.set('@n8n/n8n-nodes-langchain.chatHitlTool', chat);
}

test('ready-made workflows consist of steps that this n8n knows, in their versions', () => {
	const known = knownVersions();
	const files = readdirSync(workflowsFolder).filter(
		// n8n 1 has no human review of tool calls.
		(file) => file.endsWith('.json') && (n8nIsSince('2') || file !== 'agent-that-asks-first.json'),
	);
	const steps = files.flatMap((file) => {
		const text = readFileSync(join(workflowsFolder, file), 'utf8');
		return (JSON.parse(text) as { nodes: Step[] }).nodes.map((step) => ({ file, ...step }));
	});
	const unknown = steps.filter(
		({ type, typeVersion }) =>
			!type.startsWith('n8n-nodes-card-platform.') && !known.get(type)?.includes(typeVersion),
	);
	expect(unknown).toEqual([]);
});
