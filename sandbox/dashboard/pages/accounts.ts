import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, findAccount, listAccounts, renameAccount } from '../../accounts/account.ts';
import { idempotencyKey, renameBody, transferBody } from '../../accounts/routes.ts';
import { transfer } from '../../accounts/transfer.ts';
import { balanceDetails, creditOf, spendOf } from '../../balance/credit.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { formatAmount } from '../../money.ts';
import type { Services } from '../../services.ts';
import { listEndpoints } from '../../webhooks/endpoint.ts';
import { accountLink, listPanel, matchingCurl } from '../entities.ts';
import { type FormSchema, readForm } from '../form.ts';
import { money } from '../format.ts';
import { changed, fragment, type Html, page } from '../layout.ts';
import { accountOptions, badge, copyable, done, facts, formError, live, post } from '../parts.ts';

const HEADING = { title: 'Accounts', lede: 'The accounts of the customer, with their balances.' };

const PATH = '/dashboard/accounts';

const transferForm: FormSchema<{ key?: string | undefined; body: z.infer<typeof transferBody> }> = z
	.object({ toAccountId: z.coerce.number().int(), idempotencyKey })
	.passthrough()
	.transform(({ idempotencyKey: key, ...body }) => ({ key, body }))
	.pipe(z.object({ key: idempotencyKey, body: transferBody }));

/** The list of accounts, and one account with its balance, transfers and links. */
export function accountsPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Account => {
		const account = findAccount(db, Number(id));
		if (!account) throw notFound('The account was not found');
		return account;
	};

	/** As the public API (§5.5). */
	const manageable = (id: string): Account => {
		const account = requested(id);
		if (!account.features.accountManagement) throw forbidden();
		return account;
	};

	routes.get('/', (c) => {
		const list = live('accounts', PATH, html`${listAccounts(db).map(listed(services))}`);
		return fragment(c, HEADING, list);
	});

	routes.get('/:id', (c) => {
		const account = requested(c.req.param('id'));
		const others = listAccounts(db).filter(({ id }) => id !== account.id);
		return page(
			c,
			heading(account),
			html`${state(services, account)}
				<div class="columns">${transferPanel(account, others)} ${renamePanel(account)}</div>
				<section class="panel" aria-labelledby="api-heading">
					<h2 id="api-heading" class="panel-title">API</h2>
					<p class="muted">
						For an account-scoped key. A customer-scoped key gets the sum of all accounts.
					</p>
					${matchingCurl(c, apiPath, '/balance')}
				</section>`,
		);
	});

	routes.get('/:id/state', (c) => {
		const account = requested(c.req.param('id'));
		return fragment(c, heading(account), state(services, account));
	});

	routes.post('/:id/transfers', async (c) => {
		const { id } = manageable(c.req.param('id'));
		const { key, body } = await readForm(c, transferForm);
		const made = transfer(services, { ...body, fromAccountId: id }, key);
		const message = `${money(formatAmount(made.amount))} transferred to account ${made.toAccountId} (${made.id}).`;
		return changed(c, HEADING, done(message));
	});

	routes.post('/:id', async (c) => {
		const { id } = manageable(c.req.param('id'));
		const { name } = await readForm(c, renameBody);
		renameAccount(db, id, name);
		return changed(c, HEADING, done(`Account renamed to ${name}.`));
	});

	return routes;
}

const heading = ({ id, name }: Account) => ({ title: name, lede: `Account ${id}` });

function balanceOf({ db, now }: Services, { id }: Account) {
	const at = now();
	return balanceDetails(creditOf(db, [id], at), spendOf(db, [id], at));
}

const listed =
	(services: Services) =>
	(account: Account): Html => {
		const { availableCreditLimit, overallCreditLimit } = balanceOf(services, account);
		return html`<section class="panel" aria-labelledby="account-${account.id}">
			<h2 id="account-${account.id}" class="panel-title">${accountLink(account)}</h2>
			<p>${money(availableCreditLimit)} of ${money(overallCreditLimit)} available</p>
		</section>`;
	};

function state(services: Services, account: Account): Html {
	const { id, features } = account;
	const balance = balanceOf(services, account);
	const feature = (on: boolean) => badge(on ? 'on' : 'off');
	return live(
		'account',
		`${PATH}/${id}/state`,
		html`<div class="columns">
				<section class="panel" aria-labelledby="account-heading">
					<h2 id="account-heading" class="panel-title">Account</h2>
					${facts([
						['Account ID', copyable(String(id), 'account ID')],
						['Name', account.name],
						['Card management', feature(features.cardManagement)],
						['Account management', feature(features.accountManagement)],
						['Webhooks', feature(features.webhooks)],
					])}
					<p class="links">
						<a href="/dashboard/cards?accountId=${id}">Cards</a>
						<a href="/dashboard/transactions?accountId=${id}">Transactions</a>
						<a href="/dashboard/payments?accountId=${id}">Payments</a>
						<a href="/dashboard/controls">Switch features</a>
					</p>
				</section>
				<section class="panel" aria-labelledby="balance-heading">
					<h2 id="balance-heading" class="panel-title">Balance</h2>
					${facts([
						['Available credit', money(balance.availableCreditLimit)],
						['Credit limit', money(balance.overallCreditLimit)],
						['Spent in 24 hours', money(balance.last24HoursSpend)],
						['Spent in 30 days', money(balance.last30DaysSpend)],
					])}
				</section>
			</div>
			${listPanel(
				'endpoints-heading',
				'Webhook endpoints',
				listEndpoints(services.db)
					.filter(({ accountId }) => accountId === id)
					.map(
						({ id: endpointId, url, failing }) =>
							html`<li class="row" id="endpoint-${endpointId}">
								<span class="main">${url}</span> ${failing ? badge('failing') : ''}
							</li>`,
					),
				'Nobody receives the events of this account.',
				html`<a href="/dashboard/webhooks">Webhooks</a>`,
			)}`,
	);
}

const transferPanel = ({ id }: Account, others: Account[]): Html =>
	html`<section class="panel" aria-labelledby="transfer-heading">
		<h2 id="transfer-heading" class="panel-title">Transfer funds</h2>
		<form id="transfer-form" ${post(`${PATH}/${id}/transfers`)}>
			<label>
				To
				<select name="toAccountId">
					${accountOptions(others)}
				</select>
			</label>
			<label>
				Amount
				<input name="amount" required inputmode="decimal" placeholder="100.00" autocomplete="off" />
			</label>
			<label>
				Idempotency-Key (optional)
				<input name="idempotencyKey" spellcheck="false" autocomplete="off" />
			</label>
			${formError()}
			<button>Transfer</button>
		</form>
	</section>`;

const renamePanel = ({ id, name }: Account): Html =>
	html`<section class="panel" aria-labelledby="rename-heading">
		<h2 id="rename-heading" class="panel-title">Rename</h2>
		<form id="rename-form" ${post(`${PATH}/${id}`)}>
			<label>
				Name
				<input name="name" required value="${name}" autocomplete="off" />
			</label>
			${formError()}
			<button class="secondary">Rename</button>
		</form>
	</section>`;
