import { html } from 'hono/html';
import { z } from 'zod/v4';

import {
	type Account,
	changeFeatures,
	type Features,
	listAccounts,
} from '../../accounts/account.ts';
import { renameBody, transferBody } from '../../accounts/routes.ts';
import { listTransfers, type Transfer, transfer } from '../../accounts/transfer.ts';
import { balanceDetails, creditOf, spendOf } from '../../balance/credit.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/accounts';

const FEATURES: [keyof Features, label: string, effect: string][] = [
	['cardManagement', 'Card management', 'The Card endpoints; without it they return 403.'],
	['accountManagement', 'Account management', 'Renames and transfers; without it they return 403.'],
	['webhooks', 'Webhooks', 'Without them, nothing is delivered.'],
];

/** A switch that is off is not sent. */
const isOn = z.coerce.boolean();

const featureForm = z.object({ cardManagement: isOn, accountManagement: isOn, webhooks: isOn });

const accountId = z.coerce.number().int();

const transferForm = transferBody.extend({ fromAccountId: accountId, toAccountId: accountId });

/** The accounts, each with its balance, name and feature switches (§5.5), and transfers between them (§4.2). */
export function addAccounts(pages: ui.Pages, services: Services): void {
	const { db } = services;

	pages.get('/accounts', (c) => {
		const accounts = listAccounts(db);
		const transfers = ui.table(transferTable(services), listTransfers(db, 20));
		return c.render(
			html`${accounts.map((account) => accountPanel(services, account))}
			${ui.panel('transfers', 'Transfers', html`${fundsForm(accounts)} ${transfers}`)}`,
			'Accounts',
		);
	});

	pages.post('/accounts/transfers', async (c) => {
		const request = await ui.readForm(c, transferForm);
		transfer(services, request, undefined);
		return ui.done(c, `${ui.money(request.amount)} moved.`);
	});

	pages.post('/accounts/:accountId/name', async (c) => {
		const { name } = await ui.readForm(c, renameBody);
		db.update('accounts', Number(c.req.param('accountId')), { name });
		return ui.done(c, `The account is now called ${name}.`);
	});

	pages.post('/accounts/:accountId/features', async (c) => {
		const changes = await ui.readForm(c, featureForm);
		const { name } = changeFeatures(db, Number(c.req.param('accountId')), changes);
		return ui.done(c, `Features of ${name} updated.`);
	});
}

function accountPanel({ db, now }: Services, account: Account): ui.Html {
	const { id, name } = account;
	const at = now();
	const balance = balanceDetails(creditOf(db, [id], at), spendOf(db, [id], at));
	return ui.panel(
		`account-${id}`,
		name,
		html`<div class="columns">
			<div>
				${ui.facts([
					['Available credit', ui.money(balance.availableCreditLimit)],
					['Credit limit', ui.money(balance.overallCreditLimit)],
					['Spent in 24 hours', ui.money(balance.last24HoursSpend)],
					['Spent in 30 days', ui.money(balance.last30DaysSpend)],
					['Account ID', ui.copyable(String(id), `account ID of ${name}`)],
				])}
				${ui.inlineForm(
					`${PATH}/${id}/name`,
					'Rename',
					name,
					html`name="name" required maxlength="255" value="${name}" aria-label="Name of ${name}"`,
				)}
			</div>
			<form hx-trigger="change" ${ui.post(`${PATH}/${id}/features`)}>
				${FEATURES.map((feature) => featureSwitch(account, feature))} ${ui.formError()}
			</form>
		</div>`,
	);
}

const featureSwitch = (
	{ id, name, features }: Account,
	[feature, label, effect]: (typeof FEATURES)[number],
): ui.Html =>
	html`<label class="form-check form-switch mb-2">
		<input
			class="form-check-input"
			type="checkbox"
			role="switch"
			id="${feature}-${id}"
			name="${feature}"
			aria-label="${label} of ${name}"
			${features[feature] ? html`checked` : ''}
		/>
		${label} <small class="d-block">${effect}</small>
	</label>`;

const fundsForm = (accounts: Account[]): ui.Html => {
	const options = ui.accountOptions(accounts);
	const [, second] = options;
	return html`<form class="mb-3" ${ui.post(`${PATH}/transfers`)}>
		<div class="fields">
			${ui.choice('From', html`name="fromAccountId"`, options)}
			${ui.choice('To', html`name="toAccountId"`, options, second?.[0])}
			${ui.field('Amount', html`inputmode="decimal" name="amount" required placeholder="12.50"`)}
		</div>
		${ui.submit('Transfer')}
	</form>`;
};

const transferTable = (services: Services): ui.Table<Transfer> => ({
	noun: 'transfer',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Transfer',
			cell: ({ id, createdAt }) =>
				html`${ui.timeAgo(createdAt, services.now())} ${ui.copyButton(id, 'transfer ID')}`,
		},
		{ title: 'Amount', cell: ({ amount }) => ui.money(amount), isNumber: true },
		{ title: 'From', cell: ({ fromAccountId }) => ui.accountLink(services, fromAccountId) },
		{ title: 'To', cell: ({ toAccountId }) => ui.accountLink(services, toAccountId) },
	],
	empty: 'No transfers yet.',
});
