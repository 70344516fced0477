import { html } from 'hono/html';
import { z } from 'zod/v4';

import {
	type Account,
	changeFeatures,
	type Features,
	featuresBody,
	findAccount,
	listAccounts,
} from '../../accounts/account.ts';
import { renameBody, transferBody } from '../../accounts/routes.ts';
import { listTransfers, type Transfer, transfer } from '../../accounts/transfer.ts';
import { availableCredit, creditOf, spendOf } from '../../balance/credit.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/accounts';

const FEATURES: [keyof Features, label: string][] = [
	['cardManagement', 'Card management'],
	['accountManagement', 'Account management'],
	['webhooks', 'Webhooks'],
];

const EFFECTS =
	'Without card management, the Card endpoints return 403; without account management, renames and transfers do. Without webhooks, nothing is delivered.';

/** A switch that is off is not sent. */
const featureForm = z.object({ feature: featuresBody.keyof(), isOn: z.coerce.boolean() });

const accountId = z.coerce.number().int();

const renameForm = renameBody.extend({ accountId });

const transferForm = transferBody.extend({ fromAccountId: accountId, toAccountId: accountId });

/** The accounts, each with its credit and feature switches (§5.5), transfers between them (§4.2), and renames. */
export function addAccounts(pages: ui.Pages, services: Services): void {
	const { db } = services;

	pages.get('/accounts', (c) => {
		const accounts = listAccounts(db);
		const options = ui.accountOptions(accounts);
		const transfers = ui.table(transferTable(services), listTransfers(db, 20));
		return c.render(
			html`${ui.panel(
					'accounts',
					ui.counted(accounts.length, 'account'),
					html`${ui.table(accountTable(services), accounts)}
						<p class="mt-3 text-body-secondary">${EFFECTS}</p>`,
				)}
				<div class="columns">
					${ui.panel('funds', 'Transfer', fundsForm(options))}
					${ui.panel('rename', 'Rename', renameFormOf(options))}
				</div>
				${ui.panel('transfers', 'Latest transfers', transfers)}`,
			'Accounts',
		);
	});

	pages.post('/accounts/transfers', async (c) => {
		const request = await ui.readForm(c, transferForm);
		transfer(services, request, undefined);
		return ui.done(c, `${ui.money(request.amount)} moved.`);
	});

	pages.post('/accounts/name', async (c) => {
		const { accountId: id, name } = await ui.readForm(c, renameForm);
		ui.found(findAccount(db, id), 'account');
		db.update('accounts', id, { name });
		return ui.done(c, `The account is now called ${name}.`);
	});

	pages.post('/accounts/:accountId/features', async (c) => {
		const { feature, isOn } = await ui.readForm(c, featureForm);
		const { name } = changeFeatures(db, Number(c.req.param('accountId')), { [feature]: isOn });
		return ui.done(c, `Features of ${name} updated.`);
	});
}

const accountTable = (services: Services): ui.Table<Account> => ({
	noun: 'account',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Account',
			cell: ({ id, name }) =>
				html`<strong class="fw-medium">${name}</strong>
					<small>${id} ${ui.copyButton(String(id), `account ID of ${name}`)}</small>`,
		},
		{ title: 'Credit', cell: (account) => creditUse(services, account) },
		{ title: 'Spent', cell: (account) => spent(services, account) },
		...FEATURES.map(([feature, label]): ui.Column<Account> => ({
			title: label,
			cell: (account) => featureSwitch(account, feature, label),
		})),
	],
	empty: 'No accounts.',
});

function creditUse({ db, now }: Services, { id, name }: Account): ui.Html {
	const credit = creditOf(db, [id], now());
	return ui.used(credit.overall - availableCredit(credit), credit.overall, name);
}

function spent({ db, now }: Services, { id }: Account): ui.Html {
	const { last24Hours, last30Days } = spendOf(db, [id], now());
	return html`${ui.money(last30Days)} <span class="text-body-secondary">in 30 days</span>
		<small>${ui.money(last24Hours)} in 24 hours</small>`;
}

/** A phone has no headings of columns: there, the label stands beside the switch. */
const featureSwitch = ({ id, name, features }: Account, feature: keyof Features, label: string) =>
	html`<form hx-trigger="change" ${ui.post(`${PATH}/${id}/features`)}>
		<input type="hidden" name="feature" value="${feature}" />
		<label class="form-check form-switch m-0">
			<input
				class="form-check-input"
				type="checkbox"
				role="switch"
				id="${feature}-${id}"
				name="isOn"
				aria-label="${label} of ${name}"
				${features[feature] ? html`checked` : ''}
			/>
			<span class="narrow-only">${label}</span>
		</label>
		${ui.formError()}
	</form>`;

const fundsForm = (options: ui.Option[]): ui.Html => {
	const [, second] = options;
	return html`<form ${ui.post(`${PATH}/transfers`)}>
		<div class="fields">
			${ui.choice('From', html`name="fromAccountId"`, options)}
			${ui.choice('To', html`name="toAccountId"`, options, second?.[0])}
			${ui.field('Amount in USD', html`inputmode="decimal" name="amount" required placeholder="12.50"`)}
		</div>
		${ui.submit('Transfer')}
	</form>`;
};

const renameFormOf = (options: ui.Option[]): ui.Html =>
	html`<form ${ui.post(`${PATH}/name`)}>
		<div class="fields">
			${ui.choice('Account', html`name="accountId"`, options)}
			${ui.field('New name', html`name="name" required maxlength="255"`)}
		</div>
		${ui.submit('Rename')}
	</form>`;

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
