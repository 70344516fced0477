import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { findAccount, listAccounts } from '../../accounts/account.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { activeApiKey, createApiKey } from '../../keys/apiKey.ts';
import type { Services } from '../../services.ts';
import { readForm } from '../form.ts';
import { dateTime } from '../format.ts';
import { changed, fragment, type Html, page } from '../layout.ts';
import {
	accountChoices,
	confirmDialog,
	copyField,
	formError,
	live,
	muted,
	openDialog,
	options,
	panel,
	post,
	secretDialog,
} from '../parts.ts';

const HEADING = {
	title: 'API',
	lede: 'The key that your systems send with every request to the public API.',
};

const keyForm = z.object({
	scope: z.enum(['customer', 'account']),
	accountId: z.coerce.number().int(),
	/** Set by the dialog that says what stops working. */
	confirmed: z.literal('yes').optional(),
});

/** The API page (§5.2): generates the key, and shows how to connect. `apiPath` is the prefix of §9. */
export function apiPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) =>
		page(c, HEADING, html`${keyPanel(services)} ${connectPanel(new URL(apiPath, c.req.url).href)}`),
	);

	routes.get('/key', (c) => fragment(c, HEADING, keyState(services)));

	routes.post('/key', async (c) => {
		const { scope, accountId, confirmed } = await readForm(c, keyForm);
		if (activeApiKey(db) && !confirmed) {
			return fragment(c, HEADING, openDialog(confirmation(services, scope, accountId)));
		}
		const apiKey = createApiKey(services, scope === 'account' ? { scope, accountId } : { scope });
		const advice = 'Copy it now: it is shown only once. Earlier keys no longer work.';
		return changed(
			c,
			HEADING,
			openDialog(secretDialog('Your new API key', 'API key', apiKey, advice)),
		);
	});

	return routes;
}

const keyPanel = (services: Services): Html =>
	panel(
		'key',
		'API key',
		html`<form id="key-form" ${post('/dashboard/api/key')}>
			<fieldset>
				<legend>Key scope</legend>
				<label>
					<input type="radio" name="scope" value="customer" checked />
					Customer
					<small>Covers all accounts; can rename them and move funds between them.</small>
				</label>
				<label>
					<input type="radio" name="scope" value="account" />
					Account
					<small>Covers one account; the Account endpoints return 403.</small>
				</label>
			</fieldset>
			<label class="only-account">
				Account
				<select name="accountId">
					${options(accountChoices(listAccounts(services.db)))}
				</select>
			</label>
			${muted('Only one key is active at a time: a new key invalidates the previous one immediately. It is shown only once.')}
			${formError()}
			<button>Generate key</button>
		</form>`,
		keyState(services),
	);

/** "customer" or "account 1001 Operating", of the active key. */
const scopeOf = (services: Services, accountId: number | null): string =>
	accountId === null
		? 'customer-scoped'
		: `scoped to account ${findAccount(services.db, accountId)?.name ?? accountId}`;

function keyState(services: Services): Html {
	const key = activeApiKey(services.db);
	const state = key
		? `A key is active: ${scopeOf(services, key.accountId)}, since ${dateTime(key.createdAt)}.`
		: 'No key is active.';
	return live('key-state', '/dashboard/api/key', muted(state));
}

function confirmation(services: Services, scope: string, accountId: number): Html {
	const key = activeApiKey(services.db);
	const active = key ? `The active key (${scopeOf(services, key.accountId)})` : 'The active key';
	return confirmDialog({
		title: 'Replace the API key?',
		consequence: `${active} stops working immediately: whatever uses it gets 401 until it has the new key.`,
		action: 'Replace key',
		path: '/dashboard/api/key',
		fields: html`<input type="hidden" name="scope" value="${scope}" />
			<input type="hidden" name="accountId" value="${accountId}" />
			<input type="hidden" name="confirmed" value="yes" />`,
		dangerous: true,
	});
}

const connectPanel = (apiUrl: string): Html =>
	panel(
		'connect',
		'Connect',
		html`${copyField('base-url', 'Base URL', apiUrl)}
		${copyField(
			'health-check',
			'Check the connection',
			`curl -H "Authorization: Bearer $API_KEY" ${apiUrl}/health`,
		)}`,
		muted('What a client needs in addition to the key.'),
	);
