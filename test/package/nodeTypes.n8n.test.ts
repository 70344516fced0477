import { z } from 'zod';

import { cardPlatform } from '../../harness/n8n/workflow.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

const shared = useSharedN8n();

const listSchema = z.array(z.object({ name: z.string() }).passthrough());

/** The descriptions of this package's nodes or credentials that n8n hands to its editor. */
async function readDescriptions(what: 'nodes' | 'credentials') {
	const all = await shared().n8n.getJson(`/types/${what}.json`, listSchema);
	return all.filter(({ name }) => /^(n8n-nodes-card-platform\.)?cardPlatform/.test(name));
}

/** The path of every value in a document, at any depth. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => {
		const at = [...path, key];
		return [at, ...pathsIn(inner, at)];
	});
}

const formSchema = z
	.object({
		inputs: z.array(z.string()),
		outputs: z.array(z.string()),
		credentials: z.array(z.unknown()),
		properties: z.array(z.unknown()),
	})
	.passthrough();

async function readForm(name: string) {
	const nodes = await readDescriptions('nodes');
	return formSchema.parse(nodes.find((node) => node.name === name));
}

describe('what n8n knows of the package', () => {
	it('is its nodes, and the tool that n8n makes of the action node', async () => {
		const nodes = await readDescriptions('nodes');
		expect(nodes.map(({ name }) => name).sort()).toEqual(Object.values(cardPlatform).sort());
	});

	it('is its credentials', async () => {
		const credentials = await readDescriptions('credentials');
		expect(credentials.map(({ name }) => name).sort()).toEqual([
			'cardPlatformApi',
			'cardPlatformWebhookApi',
		]);
	});

	it('is a tool with all fields and the credential of the action node', async () => {
		const action = await readForm(cardPlatform.action);
		expect(await readForm(cardPlatform.tool)).toMatchObject({
			inputs: [],
			outputs: ['ai_tool'],
			credentials: action.credentials,
			properties: expect.arrayContaining(action.properties),
		});
	});

	it.each(['nodes', 'credentials'] as const)(
		'has no key in its %s that was undefined where it was made',
		async (what) => {
			const paths = pathsIn(await readDescriptions(what));
			expect(paths).not.toEqual([]);
			expect(paths.filter((path) => path.at(-1) === 'undefined')).toEqual([]);
		},
	);
});
