import { z } from 'zod/v4';

import { SandboxClient } from '../../../dev/harness/sandboxClient.ts';
import {
	type Sandbox,
	type SandboxOptions,
	startSandbox as start,
} from '../../../sandbox/server.ts';
import { recordContractOfEachTest } from '../../support/contract.ts';

/** An HTTP answer: its status and its body as JSON, or undefined when the body is empty. */
interface Answer {
	status: number;
	body: unknown;
}

/** A sandbox under test, with short ways to talk to it. */
export interface TestSandbox extends Sandbox {
	/** Calls the public API with the key made last, or with the Authorization header given. */
	api(method: string, path: string, authorization?: string): Promise<Answer>;
	/** Calls the public API with a JSON body, and more headers if need be. */
	send(
		method: string,
		path: string,
		body: unknown,
		headers?: Record<string, string>,
	): Promise<Answer>;
	/** The client of the control plane: for what a test prepares and reads. */
	client: SandboxClient;
	/** Sends any request to the control plane, also one that it has to refuse. */
	control(method: string, path: string, body?: unknown): Promise<Answer>;
	readonly apiKey: string;
	/** Makes an API key: of the customer, or of an account. It is used by `api` from now on. */
	makeKey(accountId?: number): Promise<string>;
}

const running = new Set<Sandbox>();

afterEach(async () => {
	await Promise.all([...running].map((sandbox) => sandbox.close()));
	running.clear();
});

// After the sandboxes have closed, so that their last deliveries are looked at too.
const contractHooks = recordContractOfEachTest('any');

export async function call(method: string, url: string, init: RequestInit = {}): Promise<Answer> {
	const response = await fetch(url, { ...init, method });
	const text = await response.text();
	const body: unknown = text === '' ? undefined : JSON.parse(text);
	return { status: response.status, body };
}

/**
 * Starts a sandbox that is closed after the test; a customer-scoped key is in use. Every answer and
 * every delivery is held against openapi.yaml.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
	// A receiver that a test keeps silent stays so: no delivery to it ends before the test does.
	const deliveries = { timeout: 120_000, ...options.deliveries };
	const sandbox = await openSandbox({ ...contractHooks, ...options, deliveries });
	running.add(sandbox);
	return sandbox;
}

/** Starts a sandbox that the caller closes; a customer-scoped key is in use. */
export async function openSandbox(options: SandboxOptions): Promise<TestSandbox> {
	const sandbox = await start(options);
	const client = new SandboxClient(sandbox.url);
	let { apiKey } = sandbox;
	const test: TestSandbox = {
		...sandbox,
		close: async () => {
			running.delete(test);
			await sandbox.close();
		},
		client,
		get apiKey() {
			return apiKey;
		},
		control: (method, path, body) =>
			call(method, `${sandbox.url}/sandbox${path}`, body ? { body: JSON.stringify(body) } : {}),
		api: (method, path, authorization = `Bearer ${apiKey}`) =>
			call(method, sandbox.apiUrl + path, { headers: { authorization } }),
		send: (method, path, body, headers = {}) =>
			call(method, sandbox.apiUrl + path, {
				headers: { authorization: `Bearer ${apiKey}`, ...headers },
				body: JSON.stringify(body),
			}),
		makeKey: async (accountId) => {
			apiKey = await client.createKey(accountId);
			return apiKey;
		},
	};
	return test;
}

/** The id of a seeded card, by its number. */
export const cardId = (number: number): string =>
	`ca4d0000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Creates a card; gives its id. */
export async function createCard(sandbox: TestSandbox, fields: object = {}): Promise<string> {
	const card = { name: 'Travel', type: 'recurring', ...fields };
	const { body } = await sandbox.send('POST', '/cards', card);
	return z.object({ id: z.string() }).parse(body).id;
}

/** An id that is a uuid but nothing's. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** An error as §7 has it; its message contains the text. */
export const errorAnswer = (status: number, code: string, text = ''): Answer => ({
	status,
	body: { code, message: expect.stringContaining(text) },
});

/** The answer to an invalid request; its message names a field or says why. */
export const refused = (text = ''): Answer => errorAnswer(400, 'bad-request', text);
