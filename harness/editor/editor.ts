import { randomUUID } from 'node:crypto';
import { patienceMs, type Session, signIn, startBrowser } from './browser.ts';
import type { N8n } from '../n8n/n8n.ts';
import {
	type Company,
	openCompany,
	packAndInstall,
	type Scene,
	startAutomation,
} from '../scenario/stage.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

/** A credential that n8n has stored. */
export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** A node as a workflow holds it. */
export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: object;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
}

/** A page of the editor, and the errors of its console since it was opened. */
export interface EditorPage {
	page: Page;
	errors: string[];
}

export type ColorScheme = 'light' | 'dark';

const credentialSchema = z.object({ id: z.string(), name: z.string(), type: z.string() });
const storedSchema = z.object({ data: credentialSchema });
const listSchema = z.object({ data: z.array(credentialSchema) });
const createdSchema = z.object({ data: z.object({ id: z.string() }) });

/** Makes `isConnected` true in a page as soon as a WebSocket of its own is open. */
const watchConnection = `window.WebSocket = class extends WebSocket {
	constructor(...args) {
		super(...args);
		this.addEventListener('open', () => { window.isConnected = true; });
	}
};`;

/** The editor of a running n8n, in a browser, signed in as its owner. */
export class Editor {
	readonly n8n: N8n;
	readonly #browser: Browser;
	readonly #session: Session;
	readonly #contexts = new Map<ColorScheme, BrowserContext>();

	private constructor(n8n: N8n, browser: Browser, session: Session) {
		this.n8n = n8n;
		this.#browser = browser;
		this.#session = session;
	}

	/** Signs in. Throws when n8n refuses. */
	static async open(n8n: N8n, browser: Browser): Promise<Editor> {
		return new Editor(n8n, browser, await signIn(browser, n8n));
	}

	/**
	 * Opens a page of the editor by its path, e.g. `/workflow/<id>/<node id>`: a node's form. Pages of
	 * the same colours share one cache: the editor is some ten megabytes.
	 */
	async page(path: string, colorScheme: ColorScheme = 'light'): Promise<EditorPage> {
		const { origin } = new URL(this.n8n.url);
		const context = this.#contexts.get(colorScheme) ?? (await this.#newContext(colorScheme));
		this.#contexts.set(colorScheme, context);
		const page = await context.newPage();
		page.setDefaultTimeout(patienceMs);
		const errors: string[] = [];
		page.on('pageerror', (error) => errors.push(String(error)));
		page.on('console', (message) => {
			const isOurs = message.location().url.startsWith(origin);
			if (message.type() === 'error' && isOurs) errors.push(message.text());
		});
		await page.goto(this.n8n.url + path);
		// Until it is connected to n8n, the editor answers "Execute step" with "Lost connection".
		if (path.startsWith('/workflow/')) await page.waitForFunction('window.isConnected === true');
		return { page, errors };
	}

	/** The stored credential of a type that was stored first. Throws when there is none. */
	async credential(type: string): Promise<StoredCredential> {
		const { data } = listSchema.parse(await this.n8n.editorJson('/rest/credentials'));
		const found = data.findLast((each) => each.type === type);
		if (found === undefined) throw new Error(`n8n has no credential of type ${type}`);
		return found;
	}

	/** Stores a credential. */
	async addCredential(type: string, name: string, data: object): Promise<StoredCredential> {
		return storedSchema.parse(await this.n8n.editorJson('/rest/credentials', { name, type, data }))
			.data;
	}

	/**
	 * Stores a workflow and gives its id.
	 *
	 * @param connected names of nodes that are joined in this order
	 */
	async addWorkflow(
		name: string,
		nodes: readonly WorkflowNode[],
		connected: readonly string[] = [],
	): Promise<string> {
		const connections: Record<string, object> = {};
		for (const [index, node] of connected.slice(1).entries()) {
			const before = connected[index];
			if (before !== undefined)
				connections[before] = { main: [[{ node, type: 'main', index: 0 }]] };
		}
		return this.storeWorkflow({ name, nodes, connections, settings: {} });
	}

	/** Stores a workflow that is there as a whole, and gives its id. */
	async storeWorkflow(workflow: object): Promise<string> {
		return createdSchema.parse(await this.n8n.editorJson('/rest/workflows', workflow)).data.id;
	}

	async #newContext(colorScheme: ColorScheme): Promise<BrowserContext> {
		const context = await this.#browser.newContext({
			viewport: { width: 1440, height: 900 },
			storageState: this.#session,
			colorScheme,
		});
		await context.addInitScript(watchConnection);
		const { origin } = new URL(this.n8n.url);
		// The editor asks npm about community nodes; nothing here depends on what the internet says.
		await context.route(
			(url) => url.origin !== origin,
			(route) => route.abort(),
		);
		return context;
	}
}

/** The company, the automation in a fresh n8n with our package, and its editor in a browser. */
export async function openEditor(
	scene: Scene,
): Promise<{ company: Company; browser: Browser; editor: Editor }> {
	await packAndInstall(scene);
	const company = await openCompany(scene);
	const { n8n } = await startAutomation(scene, company);
	const browser = await startBrowser();
	scene.cleanup.defer(() => browser.close());
	return { company, browser, editor: await Editor.open(n8n, browser) };
}

/** A Card Platform node with an id that is its name. */
export function cardNode(
	name: string,
	parameters: object,
	credential: StoredCredential | undefined,
	position: [number, number] = [0, 0],
): WorkflowNode {
	const type = 'n8n-nodes-card-platform.cardPlatform';
	const node = { id: name, name, type, typeVersion: 1, position, parameters };
	return { ...node, ...credentialsOf(credential) };
}

/** A Card Platform Trigger node with an id that is its name and a webhook URL of its own. */
export function triggerNode(
	name: string,
	credential: StoredCredential | undefined,
	webhookId: string = randomUUID(),
): WorkflowNode {
	const type = 'n8n-nodes-card-platform.cardPlatformTrigger';
	const node = { id: name, name, type, typeVersion: 2, parameters: {}, webhookId };
	return { ...node, position: [0, 0], ...credentialsOf(credential) };
}

function credentialsOf(
	credential: StoredCredential | undefined,
): Pick<WorkflowNode, 'credentials'> {
	if (credential === undefined) return {};
	const { id, name, type } = credential;
	return { credentials: { [type]: { id, name } } };
}
