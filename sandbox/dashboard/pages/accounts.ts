import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, findAccount, listAccounts, renameAccount } from '../../accounts/account.ts';
import { idempotencyKey, renameBody, transferBody } from '../../accounts/routes.ts';
import { transfer } from '../../accounts/transfer.ts';
import { balanceDetails, creditOf, spendOf } from '../../balance/credit.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import { formatAmount } from '../../money.ts';
import { listPayments, type Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import { type Endpoint, listEndpoints } from '../../webhooks/endpoint.ts';
import { apiPanel, showDetail } from '../detail.ts';
import { accountLink } from '../entities.ts';
import { type FormSchema, readForm } from '../form.ts';
import { money } from '../format.ts';
import { changed, type Html } from '../layout.ts';
import { type List, pageOf, showList, type Table, table } from '../list.ts';
import {
	accountChoices,
	actions,
	badge,
	copyable,
	done,
	formError,
	options,
	panel,
	post,
	urlWith,
} from '../parts.ts';

const HEADING = { title: 'Accounts', lede: 'The accounts of the customer, with their balances.' };

const PATH = '/dashboard/accounts';

/** Every date of a payment lies between these. An account has a payment a month, so that all are shown. */
const ALL_TIME = { from: '0000-01-01', to: '9999-12-31' };

const transferForm: FormSchema<{ key?: string | undefined; body: z.infer<typeof transferBody> }> = z
	.object({ toAccountId: z.coerce.number().int(), idempotencyKey })
	.passthrough()
	.transform(({ idempotencyKey: key, ...body }) => ({ key, body }))
	.pipe(z.object({ key: idempotencyKey, body: transferBody }));

/** The list of accounts, and one account with its balance, payments, endpoints and transfers. */
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
		const query = readQuery(c, pageParametersOf(25));
		return showList(c, HEADING, accountList(services, query), pageOf(listAccounts(db), query.page));
	});

	routes.get('/:id', (c) => {
		const account = requested(c.req.param('id'));
		const { id, name, features } = account;
		const others = listAccounts(db).filter((other) => other.id !== id);
		const balance = balanceOf(services, account);
		const feature = (on: boolean) => badge(on ? 'on' : 'off');
		const payments = listPayments(db, id, ALL_TIME, services.now()).toReversed();
		const endpoints = listEndpoints(db).filter(({ accountId }) => accountId === id);
		const dueDate = payments[0]?.dueDate ?? services.now().toISOString().slice(0, 10);
		return showDetail(c, {
			noun: 'account',
			heading: { title: name, lede: `Account ${id}` },
			actions: actions(
				html`<a href="/dashboard/cards?accountId=${id}">Cards</a>`,
				html`<a href="/dashboard/transactions?accountId=${id}">Transactions</a>`,
				html`<a href="/dashboard/controls">Switch features</a>`,
			),
			facts: [
				['Account ID', copyable(String(id), 'account ID')],
				['Available credit', money(balance.availableCreditLimit)],
				['Credit limit', money(balance.overallCreditLimit)],
				['Spent in 24 hours', money(balance.last24HoursSpend)],
				['Spent in 30 days', money(balance.last30DaysSpend)],
				['Card management', feature(features.cardManagement)],
				['Account management', feature(features.accountManagement)],
				['Webhooks', feature(features.webhooks)],
			],
			sections: html`${panel('payments', 'Payments', table(PAYMENT_TABLE, payments))}
			${panel(
				'endpoints',
				'Webhook endpoints',
				table(ENDPOINT_TABLE, endpoints),
				html`<a href="/dashboard/webhooks">Webhooks</a>`,
			)}`,
			fixed: html`<div class="grid">${transferPanel(account, others)} ${renamePanel(account)}</div>
				${apiPanel(
					c,
					apiPath,
					[
						['Balance', '/balance'],
						[
							'Payments of one day',
							urlWith('/payments', { accountId: id, from: dueDate, to: dueDate }),
						],
					],
					'The balance of an account is for a key of that account. A customer-scoped key gets the sum of all accounts.',
				)}`,
		});
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

function balanceOf({ db, now }: Services, { id }: Account) {
	const at = now();
	return balanceDetails(creditOf(db, [id], at), spendOf(db, [id], at));
}

const accountList = (services: Services, query: List<Account>['query']): List<Account> => ({
	title: 'All accounts',
	path: PATH,
	noun: 'account',
	id: ({ id }) => id,
	columns: [
		{ title: 'Account', cell: accountLink },
		{
			title: 'Available credit',
			cell: (account) => money(balanceOf(services, account).availableCreditLimit),
			isNumber: true,
		},
		{
			title: 'Credit limit',
			cell: (account) => money(balanceOf(services, account).overallCreditLimit),
			isNumber: true,
		},
	],
	filters: [],
	query,
	empty: 'No accounts.',
});

const PAYMENT_TABLE: Table<Payment> = {
	noun: 'payment',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Payment',
			cell: ({ descriptor, type }) => html`${descriptor} <small>${type}</small>`,
		},
		{ title: 'Payment ID', cell: ({ id }) => copyable(id, 'payment ID') },
		{ title: 'Due', cell: ({ dueDate }) => dueDate, isNumber: true },
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{ title: 'Amount', cell: ({ amount }) => money(amount), isNumber: true },
	],
	empty: 'No payments yet.',
};

const ENDPOINT_TABLE: Table<Endpoint> = {
	noun: 'endpoint',
	id: ({ id }) => id,
	columns: [
		{ title: 'Endpoint', cell: ({ url }) => url },
		{
			title: 'Status',
			cell: ({ failingSince }) => badge(failingSince === null ? 'active' : 'failing'),
		},
	],
	empty: 'No endpoint receives the events of this account.',
};

const transferPanel = ({ id }: Account, others: Account[]): Html =>
	panel(
		'transfer',
		'Transfer funds',
		html`<form id="transfer-form" ${post(`${PATH}/${id}/transfers`)}>
			<label>
				To
				<select name="toAccountId">
					${options(accountChoices(others))}
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
		</form>`,
	);

const renamePanel = ({ id, name }: Account): Html =>
	panel(
		'rename',
		'Rename',
		html`<form id="rename-form" ${post(`${PATH}/${id}`)}>
			<label>
				Name
				<input name="name" required value="${name}" autocomplete="off" />
			</label>
			${formError()}
			<button class="secondary outline">Rename</button>
		</form>`,
	);
