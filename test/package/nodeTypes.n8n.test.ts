import { cardPlatform } from '../../harness/n8n/workflow.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

const shared = useSharedN8n();

/** A node type or a credential type. */
interface Described {
	name: string;
	credentials: unknown[];
	properties: unknown[];
}

/** The descriptions of this package's nodes or credentials that n8n hands to its editor. */
async function readDescriptions(what: 'nodes' | 'credentials') {
	const all = await shared().n8n.getJson<Described[]>(`/types/${what}.json`);
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

const readForm = async (name: string) =>
	(await readDescriptions('nodes')).find((node) => node.name === name);

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
			credentials: action?.credentials,
			properties: expect.arrayContaining(action?.properties ?? ['no node']),
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
