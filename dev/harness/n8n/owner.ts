import { randomInt } from 'node:crypto';

import { requestJson, requestOk } from '../tools/json.ts';

/** The person this n8n belongs to. */
export interface Owner {
	email: string;
	password: string;
}

/** What gives access to n8n: the editor's cookie, and a key of the documented public API. */
export interface Session {
	cookie: string;
	apiKey: string;
}

/** An owner with a new password, so that no page or program that knows the demo can sign in. */
export function newOwner(): Owner {
	return { email: 'demo@example.com', password: `Demo-${randomInt(10 ** 9, 10 ** 10)}` };
}

/**
 * Makes `owner` the owner of a fresh n8n, as its first page would, with a key of the public API. Throws if
 * n8n refuses.
 */
export async function setUpOwner(url: string, owner: Owner): Promise<Session> {
	const cookie = await addOwner(url, owner);
	const key = await requestJson<{ data: { rawApiKey: string } }>(`${url}/rest/api-keys`, {
		method: 'POST',
		headers: { cookie },
		body: {
			label: 'harness',
			scopes: ['execution:list', 'execution:read', 'execution:retry', 'workflow:list'],
			expiresAt: null,
		},
	});
	return { cookie, apiKey: key.data.rawApiKey };
}

/** Makes `owner` the owner of an n8n, unless it has one. Throws if n8n refuses. */
export async function ensureOwner(url: string, owner: Owner): Promise<void> {
	const { data } = await requestJson<{
		data: { userManagement: { showSetupOnFirstLoad: boolean } };
	}>(`${url}/rest/settings`);
	if (data.userManagement.showSetupOnFirstLoad) await addOwner(url, owner);
}

async function addOwner(url: string, { email, password }: Owner): Promise<string> {
	const person = { email, password, firstName: 'Demo', lastName: 'Person' };
	return cookieOf(await requestOk(`${url}/rest/owner/setup`, { method: 'POST', body: person }));
}

/** Signs in to an n8n, as its sign-in page would; returns the editor's cookie. Throws if n8n refuses. */
export async function logIn(url: string, { email, password }: Owner): Promise<string> {
	const body = { emailOrLdapLoginId: email, password };
	return cookieOf(await requestOk(`${url}/rest/login`, { method: 'POST', body }));
}

function cookieOf({ headers }: Response): string {
	return headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
}
