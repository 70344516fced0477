import { type JsonRequest, requestJson, requestOk } from '../tools/json.ts';
import { waitUntil } from '../tools/waiting.ts';
import {
	type Execution,
	isActive,
	type ItemFile,
	type StoredExecution,
	toExecution,
} from './executions.ts';
import type { Owner, Session } from './owner.ts';
import { startWithinMs } from './process.ts';
import { n8nIsSince } from './version.ts';
import { type CredentialReference, webhookPathOf, type WorkflowNode } from './workflow.ts';

export type StoredCredential = CredentialReference & { id: string };

/** What attaches a client to an n8n that is already running. */
export interface N8nAddress {
	/** Without a trailing slash. */
	url: string;
	owner: Owner;
	/** None until n8n runs and its owner is set up. */
	session?: Session | undefined;
}

interface Created {
	id: string;
}

interface StoredWorkflow {
	versionId: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
}

interface Publication {
	/** Published means that the triggers are active and the webhooks are registered. */
	status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
	triggers: { errorMessage: string | null }[];
}

interface ExecutionPage {
	data: StoredExecution[];
	nextCursor: string | null;
}

interface Uploaded {
	id: string;
	columns: { name: string; type: string }[];
}

/**
 * The REST API of a running n8n: what the editor does, as its owner. Every method throws with n8n's own
 * words if n8n refuses.
 */
export class N8nClient {
	/** Where the editor is, without a trailing slash. */
	readonly url: string;
	/** Who can sign in to the editor. */
	readonly owner: Owner;
	protected readonly published = new Set<string>();
	protected session: Session | undefined;

	constructor({ url, owner, session }: N8nAddress) {
		this.url = url;
		this.owner = owner;
		this.session = session;
	}

	/** A key of n8n's public API, for its owner. */
	get apiKey(): string {
		return this.#signedIn().apiKey;
	}

	async addCredential(type: string, data: object, name = type): Promise<StoredCredential> {
		return this.#post('/rest/credentials', { name, type, data });
	}

	async changeCredential(credential: StoredCredential, data: object): Promise<void> {
		const { id, name, type } = credential;
		await this.#request(`/rest/credentials/${id}`, { method: 'PATCH', body: { name, type, data } });
	}

	/** Deletes a stored credential; nodes that have it selected keep its ID. */
	async deleteCredential({ id }: StoredCredential): Promise<void> {
		await this.#request(`/rest/credentials/${id}`, { method: 'DELETE' });
	}

	/** Runs the test of the credential dialog, for a credential that it stores first, as n8n 1 wants it. */
	async testCredential(type: string, data: object): Promise<{ status: string; message: string }> {
		const { id, name } = await this.addCredential(type, data);
		return this.#post('/rest/credentials/test', { credentials: { id, name, type, data } });
	}

	/** Stores a workflow; returns its id: the workflow's own if it has one, except in n8n 1. */
	async addWorkflow(workflow: object): Promise<string> {
		// n8n 1 does not add it by itself.
		const body = { active: false, ...workflow };
		return (await this.#post<Created>('/rest/workflows', body)).id;
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return this.#get(`/rest/workflows/${id}`);
	}

	/** Saves changes of a stored workflow; they apply once it is published again. */
	async changeWorkflow(id: string, changes: object): Promise<void> {
		await this.#request(`/rest/workflows/${id}`, { method: 'PATCH', body: changes });
	}

	async publish(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.#request(`/rest/workflows/${id}/activate`, { method: 'POST', body: { versionId } });
		await this.waitForActive(id);
		this.published.add(id);
	}

	async addAndPublish(workflow: object): Promise<string> {
		const id = await this.addWorkflow(workflow);
		await this.publish(id);
		return id;
	}

	/**
	 * Stores a workflow that only n8n itself starts, for another workflow; returns its id. n8n 1 refuses to
	 * publish it, and needs no publishing.
	 */
	async addCallable(workflow: object): Promise<string> {
		return n8nIsSince('2') ? this.addAndPublish(workflow) : this.addWorkflow(workflow);
	}

	/** Unpublishes every workflow that this client has published, so that none disturbs others. */
	async unpublishAll(): Promise<void> {
		for (const id of this.published) {
			await this.#request(`/rest/workflows/${id}/deactivate`, { method: 'POST', body: {} });
			this.published.delete(id);
		}
	}

	/** Waits until a published workflow's triggers are active. Throws at once if one cannot be. */
	async waitForActive(id: string): Promise<void> {
		// n8n 1 activates the triggers before it responds to publishing, and does not tell the status.
		if (!n8nIsSince('2')) return;
		const path = `/rest/workflows/${id}/publication-status`;
		const probe = async () => {
			const { status, triggers } = await this.#get<Publication>(path);
			if (status === 'published') return true;
			if (status !== 'failed' && status !== 'partial') return undefined;
			const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
			throw new Error(`a trigger could not be activated: ${reasons.join('; ')}`);
		};
		const what = `the triggers of workflow ${id}`;
		await waitUntil(probe, { what, withinMs: startWithinMs });
	}

	/**
	 * Runs a workflow from a trigger, as the editor's button does; returns the execution once it has ended.
	 * `items` are what the trigger outputs, in place of running it.
	 */
	async run(id: string, trigger: string, items?: readonly object[]): Promise<Execution> {
		const main = [items?.map((json) => ({ json })) ?? []];
		const data = { startTime: 0, executionTime: 0, executionIndex: 0, source: [], data: { main } };
		const triggerToStartFrom = { name: trigger, ...(items && { data }) };
		const body = { triggerToStartFrom, ...(await this.#workflowData(id)) };
		const { executionId } = await this.#post<{ executionId: string }>(
			`/rest/workflows/${id}/run`,
			body,
		);
		const probe = async () => {
			const execution = await this.execution(executionId);
			return isActive(execution) || execution.status === 'waiting' ? undefined : execution;
		};
		const what = `the end of execution ${executionId}`;
		return waitUntil(probe, { what, withinMs: 120_000 });
	}

	/** Makes a trigger listen for one test event; `more` goes into the editor's request. */
	async listenForTestEvent(id: string, trigger: string, more: object = {}): Promise<void> {
		const triggerToStartFrom = { name: trigger };
		const body = { triggerToStartFrom, ...(await this.#workflowData(id)), ...more };
		const started = await this.#post<object>(`/rest/workflows/${id}/run`, body);
		if (!('waitingForWebhook' in started)) throw new Error(`${trigger} does not listen`);
	}

	/** Does what Executions → Retry does: with the workflow as it ran, or as it is saved now. */
	async retry({ id }: Execution, which: 'original workflow' | 'saved workflow'): Promise<void> {
		const body = { loadWorkflow: which === 'saved workflow' };
		await this.#request(`/rest/executions/${id}/retry`, { method: 'POST', body });
	}

	/** All executions of a workflow that have ended, newest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const executions: Execution[] = [];
		const query = new URLSearchParams({ workflowId, includeData: 'true', limit: '100' });
		for (;;) {
			const path = `/executions?${query.toString()}`;
			const { data, nextCursor } = await this.#publicApi<ExecutionPage>(path);
			// n8n leaves out what runs in the process that responds, but not what was just created there.
			executions.push(...data.map(toExecution).filter((execution) => !isActive(execution)));
			if (nextCursor === null) return executions;
			query.set('cursor', nextCursor);
		}
	}

	/** One execution, whether it has ended or not. */
	async execution(id: string): Promise<Execution> {
		return toExecution(await this.#publicApi(`/executions/${id}?includeData=true`));
	}

	/** The executions of a workflow, newest first, once at least `count` of them have ended. */
	async waitForExecutions(
		workflowId: string,
		count = 1,
		{ withinMs = 120_000, everyMs = 50 } = {},
	): Promise<[Execution, ...Execution[]]> {
		const probe = async (): Promise<[Execution, ...Execution[]] | undefined> => {
			const [newest, ...others] = await this.executions(workflowId);
			return newest === undefined || others.length + 1 < count ? undefined : [newest, ...others];
		};
		const what = `${count} executions of workflow ${workflowId}`;
		return waitUntil(probe, { what, withinMs, everyMs });
	}

	/** The production URL of a workflow's webhook, once it is published. */
	webhookUrl(workflow: Parameters<typeof webhookPathOf>[0]): string {
		return `${this.url}/webhook/${webhookPathOf(workflow)}`;
	}

	/**
	 * Creates a data table from a CSV file, as the editor's *Import CSV* does: with the column types that n8n
	 * infers from the first row. Returns its id.
	 */
	async importDataTable(name: string, csv: string): Promise<string> {
		const form = new FormData();
		form.append('file', new Blob([csv], { type: 'text/csv' }), 'table.csv');
		form.append('hasHeaders', 'true');
		const { cookie } = this.#signedIn();
		const upload = { method: 'POST', headers: { cookie }, body: form };
		const response = await fetch(`${this.url}/rest/data-tables/uploads`, upload);
		if (!response.ok) throw new Error(`n8n refused the CSV file: ${await response.text()}`);
		const { data } = (await response.json()) as { data: Uploaded };
		const columns = data.columns.map((column) => ({ name: column.name, type: column.type }));
		return this.createDataTable(name, columns, { fileId: data.id, hasHeaders: true });
	}

	/** Creates a data table, without rows if they come from no `file` that was uploaded. Returns its id. */
	async createDataTable(name: string, columns: readonly object[], file = {}): Promise<string> {
		const { id: projectId } = await this.#get<Created>('/rest/projects/personal');
		const path = `/rest/projects/${projectId}/data-tables`;
		return (await this.#post<Created>(path, { name, columns, ...file })).id;
	}

	/** Reads a document that the editor reads, such as `/types/nodes.json`. */
	async getJson<T>(path: string): Promise<T> {
		return (await (await this.#request(path)).json()) as T;
	}

	async download({ id, data }: ItemFile): Promise<Buffer> {
		if (id === undefined) return Buffer.from(data, 'base64');
		const query = new URLSearchParams({ id, action: 'download' });
		const response = await this.#request(`/rest/binary-data?${query.toString()}`);
		return Buffer.from(await response.arrayBuffer());
	}

	/** n8n 2.10 and older runs the workflow that the request brings, not the one that is stored. */
	async #workflowData(id: string): Promise<object> {
		return { workflowData: await this.workflow(id) };
	}

	/** Through n8n's public API and not from its database: it is documented, and decodes the stored data. */
	async #publicApi<T>(path: string): Promise<T> {
		const headers = { 'X-N8N-API-KEY': this.apiKey };
		return requestJson(`${this.url}/api/v1${path}`, { headers });
	}

	async #get<T>(path: string): Promise<T> {
		return (await this.getJson<{ data: T }>(path)).data;
	}

	async #post<T>(path: string, body: object): Promise<T> {
		const response = await this.#request(path, { method: 'POST', body });
		return ((await response.json()) as { data: T }).data;
	}

	async #request(path: string, request: JsonRequest = {}): Promise<Response> {
		const { cookie } = this.#signedIn();
		return requestOk(this.url + path, { headers: { cookie }, ...request });
	}

	#signedIn(): Session {
		if (!this.session) throw new Error('n8n is not up');
		return this.session;
	}
}
