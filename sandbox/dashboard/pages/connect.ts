import { html } from 'hono/html';
import { z } from 'zod/v4';

import { listAccounts } from '../../accounts/account.ts';
import { activeApiKey, createApiKey } from '../../keys/apiKey.ts';
import type { Services } from '../../services.ts';
import { listEndpoints } from '../../webhooks/endpoint.ts';
import * as ui from '../ui.ts';

const keyForm = z.object({ accountId: z.coerce.number().int().optional() });

/** The page Connect: four steps to a delivered event, addresses, and the API key (§5.2). `apiPath` is the prefix of §9. */
export function addConnect(pages: ui.Pages, services: Services, apiPath: string): void {
	pages.get('/connect', (c) =>
		c.render(
			html`${ui.panel('steps', 'From a key to a delivery', steps(services))}
				<div class="columns">
					${addresses(services, new URL(c.req.url).origin, apiPath)}
					${ui.panel('key', 'API key', keyFormOf(services))}
				</div>`,
			'Connect a client',
		),
	);

	pages.post('/connect/key', async (c) => {
		const { accountId } = await ui.readForm(c, keyForm);
		const apiKey = createApiKey(
			services.db,
			accountId === undefined ? { scope: 'customer' } : { scope: 'account', accountId },
		);
		const advice = 'Copy it now: it is shown only once. Earlier keys no longer work.';
		return ui.changed(c, ui.secretDialog('Your new API key', apiKey, advice));
	});
}

function steps(services: Services): ui.Html {
	const { db, requestLog } = services;
	const key = activeApiKey(db);
	const endpoints = listEndpoints(db).length;
	const requests = requestLog.list().length;
	const state = (isDone: boolean, content: string) =>
		ui.badge(content, isDone ? 'success' : 'secondary');
	return html`<ol class="mb-0">
		<li>
			<a href="#key-heading">Key</a>: every request needs one.
			${state(key !== undefined, key ? 'active' : 'none')}
			${key && (key.caller.scope === 'customer' ? 'for all accounts' : ui.accountLink(services, key.caller.accountId))}
		</li>
		<li>
			<a href="/dashboard/webhooks">Add an endpoint</a>: the URL that receives the events.
			${state(endpoints > 0, ui.counted(endpoints, 'endpoint'))}
		</li>
		<li><a href="/dashboard/simulate">Simulate</a> a purchase or a decline: it sends an event.</li>
		<li>
			Watch: <a href="/dashboard/webhooks#list-heading">deliveries</a> with each attempt, and the
			<a href="/dashboard/requests">requests</a> of your client.
			${state(requests > 0, ui.counted(requests, 'request'))}
		</li>
	</ol>`;
}

/** What a client needs; the first entries are those of n8n's credential, under its labels. */
function addresses({ db }: Services, origin: string, apiPath: string): ui.Html {
	const caller = activeApiKey(db)?.caller;
	const accountId = caller?.scope === 'account' ? undefined : listAccounts(db)[0]?.id;
	const baseUrl = origin + apiPath;
	const check = `curl -H "Authorization: Bearer $API_KEY" ${baseUrl}/health`;
	const entry = (name: string, value: string): ui.Fact => [name, ui.copyable(value, name)];
	return ui.panel(
		'connect',
		'For n8n and other clients',
		ui.facts([
			entry('Base URL', baseUrl),
			['API Key', 'shown once, when it is generated'],
			['Key Scope', caller?.scope === 'account' ? 'Account' : 'Customer'],
			...(accountId === undefined ? [] : [entry('Default Account ID', String(accountId))]),
			entry('Check the key', check),
			entry('Control plane', `${origin}/sandbox`),
			entry('OpenAPI', `${origin}/sandbox/openapi.json`),
		]),
	);
}

const REPLACES =
	'The active key stops working immediately: whatever uses it gets 401 until it has the new one.';

const keyFormOf = ({ db }: Services): ui.Html =>
	html`<form id="key-form" ${ui.post('/dashboard/connect/key')} hx-confirm="${REPLACES}">
		${ui.choice('Scope', html`name="accountId"`, [
			['', 'Customer: all accounts'],
			...ui.accountOptions(listAccounts(db)),
		])}
		${ui.muted('An account-scoped key gets 403 from the Account endpoints.')}
		${ui.submit('Generate key')}
	</form>`;
