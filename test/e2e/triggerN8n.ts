import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { n8nEnvironment } from '../../harness/n8n/environment.ts';
import { readExecutions, type Execution } from '../../harness/n8n/executions.ts';
import { type Access, newOwner, setUpOwner } from '../../harness/n8n/owner.ts';
import { launchN8n } from '../../harness/n8n/program.ts';
import { untilItAnswers, untilItListens } from '../../harness/n8n/readiness.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { stopProcess } from '../../harness/tools/processes.ts';

const created = z.object({ data: z.object({ id: z.string() }) });
const saved = z.object({ data: z.object({ versionId: z.string() }).passthrough() });

/** A workflow of the trigger and a node after it, which n8n holds. */
export interface TriggerWorkflow {
	id: string;
	/** Path of its webhook, under /webhook/ and, while the editor listens, under /webhook-test/. */
	path: string;
}

/** A node that stands between the trigger and the node after it. */
export interface NodeBetween {
	type: string;
	typeVersion: number;
	parameters: object;
}

/** n8n processes over one database, which can crash, start again and be two at a time. */
export class TriggerN8n {
	private readonly encryptionKey = randomBytes(24).toString('hex');

	private readonly processes = new Map<string, ChildProcess>();

	private readonly userFolder: string;

	private access: Access | undefined;

	private readonly logFile: string;

	/** @param userFolder with the package installed in it */
	constructor(userFolder: string) {
		this.userFolder = userFolder;
		this.logFile = join(userFolder, 'n8n.log');
	}

	/** The lines of n8n's log that the trigger wrote and that contain a string, oldest first. */
	async logged(text: string): Promise<string[]> {
		const lines = (await readFile(this.logFile, 'utf8')).split('\n');
		return lines.filter((line) => line.includes('Card Platform Trigger') && line.includes(text));
	}

	/** Starts a process on a port of its own, waits until it answers, and gives its URL. */
	async start(): Promise<string> {
		const [port, brokerPort] = [await freePort(), await freePort()];
		const { userFolder, encryptionKey } = this;
		const environment = n8nEnvironment({ userFolder, port, brokerPort, encryptionKey });
		const { logFile } = this;
		// What is only dropped is logged for this level.
		const withDebug = { ...environment, N8N_LOG_LEVEL: 'debug' };
		const child = await launchN8n({ userFolder, environment: withDebug, logFile }, 'start');
		const url = `http://127.0.0.1:${port}`;
		this.processes.set(url, child);
		await untilItAnswers(url);
		this.access ??= await setUpOwner(url, newOwner());
		return url;
	}

	/** Ends a process without giving it a chance to save anything. */
	async crash(url: string): Promise<void> {
		const child = this.processes.get(url);
		if (child?.pid === undefined) throw new Error(`No n8n at ${url}`);
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
		await stopProcess(child);
	}

	/** Ends all processes. */
	async stop(): Promise<void> {
		await Promise.all([...this.processes.values()].map(stopProcess));
	}

	/** Stores a webhook credential and gives its id. */
	async addCredential(url: string, data: Record<string, string>): Promise<string> {
		const body = { name: 'Webhook', type: 'cardPlatformWebhookApi', data };
		return created.parse(await this.ask(url, 'POST', '/rest/credentials', body)).data.id;
	}

	/** Changes a webhook credential, as a person does in the editor. */
	async changeCredential(url: string, id: string, data: Record<string, string>): Promise<void> {
		const body = { name: 'Webhook', type: 'cardPlatformWebhookApi', data };
		await this.ask(url, 'PATCH', `/rest/credentials/${id}`, body);
	}

	/**
	 * Stores a workflow of the trigger and a node named `Downstream`.
	 *
	 * @param credentialId none where the trigger is to have no credential
	 * @param between type, version and parameters of a node between the two
	 */
	async addWorkflow(
		url: string,
		credentialId: string | undefined,
		parameters: object = {},
		between?: NodeBetween,
	): Promise<TriggerWorkflow> {
		const webhookId = randomBytes(8).toString('hex');
		const body = workflowOf('Trigger', webhookId, credentialId, parameters, between);
		const { id } = created.parse(await this.ask(url, 'POST', '/rest/workflows', body)).data;
		return { id, path: `${webhookId}/webhook` };
	}

	/** Gives the trigger of a workflow another name. */
	async renameTrigger(url: string, id: string, name: string): Promise<void> {
		const { data } = saved.parse(await this.ask(url, 'GET', `/rest/workflows/${id}`));
		const text = JSON.stringify({ nodes: data.nodes, connections: data.connections });
		const changes = z.object({}).passthrough();
		const renamed = changes.parse(JSON.parse(text.replaceAll('"Trigger"', JSON.stringify(name))));
		await this.ask(url, 'PATCH', `/rest/workflows/${id}`, renamed);
		await this.publish(url, id);
	}

	/** Publishes a workflow and waits until it listens. Throws with what n8n says where it refuses. */
	async publish(url: string, id: string): Promise<void> {
		const { data } = saved.parse(await this.ask(url, 'GET', `/rest/workflows/${id}`));
		const body = { versionId: data.versionId };
		await this.ask(url, 'POST', `/rest/workflows/${id}/activate`, body);
		await this.untilItListens(url, id);
	}

	/** Waits until a published workflow listens, after a start of n8n too. */
	async untilItListens(url: string, id: string): Promise<void> {
		await untilItListens(url, this.access?.cookie ?? '', id);
	}

	/** Does what the button "Listen for test event" does. */
	async listenForTestEvent(url: string, id: string): Promise<void> {
		const body = { triggerToStartFrom: { name: 'Trigger' } };
		await this.ask(url, 'POST', `/rest/workflows/${id}/run`, body);
	}

	/** All executions of a workflow that have ended, newest first. */
	async executions(url: string, { id }: TriggerWorkflow): Promise<Execution[]> {
		const all = await readExecutions(url, this.access?.apiKey ?? '');
		return all.filter(({ workflowId }) => workflowId === id);
	}

	/** Asks for a document of the editor, with a person's session. */
	async ask(url: string, method: string, path: string, body?: object): Promise<unknown> {
		const response = await fetch(`${url}${path}`, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.access?.cookie ?? '' },
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text);
	}
}

function workflowOf(
	name: string,
	webhookId: string,
	credentialId: string | undefined,
	parameters: object,
	between: NodeBetween = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
) {
	const credential = { id: credentialId, name: 'Webhook' };
	return {
		name: webhookId,
		nodes: [
			{
				id: `${webhookId}-trigger`,
				webhookId,
				name,
				type: 'n8n-nodes-card-platform.cardPlatformTrigger',
				typeVersion: 2,
				position: [0, 0],
				parameters,
				...(credentialId !== undefined && { credentials: { cardPlatformWebhookApi: credential } }),
			},
			{
				id: `${webhookId}-between`,
				webhookId: `${webhookId}-between`,
				name: 'Between',
				position: [100, 0],
				...between,
			},
			{
				id: `${webhookId}-downstream`,
				name: 'Downstream',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: {
			[name]: { main: [[{ node: 'Between', type: 'main', index: 0 }]] },
			Between: { main: [[{ node: 'Downstream', type: 'main', index: 0 }]] },
		},
		settings: {},
	};
}
