import { randomInt } from 'node:crypto';
import { requestJson, requestOk } from '../tools/json.ts';
import { z } from 'zod';

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

const keySchema = z.object({ data: z.object({ rawApiKey: z.string() }) });

/** An owner with a new password, so that no page or program that knows the demo can sign in. */
export function newOwner(): Owner {
	return { email: 'demo@example.com', password: `Demo-${randomInt(10 ** 9, 10 ** 10)}` };
}

/** Makes `owner` the owner of a fresh n8n, as its first page would. Throws if n8n refuses. */
export async function setUpOwner(
	url: string,
	{ email, password }: Owner,
	signal?: AbortSignal,
): Promise<Session> {
	const person = { email, password, firstName: 'Demo', lastName: 'Person' };
	const { headers } = await requestOk(`${url}/rest/owner/setup`, {
		method: 'POST',
		body: person,
		signal,
	});
	const cookie = headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	const key = await requestJson(`${url}/rest/api-keys`, keySchema, {
		method: 'POST',
		headers: { cookie },
		body: { label: 'harness', scopes: ['execution:list', 'execution:read'], expiresAt: null },
		signal,
	});
	return { cookie, apiKey: key.data.rawApiKey };
}
