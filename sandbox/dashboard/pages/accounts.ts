import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import {
	type Account,
	changeFeatures,
	type Features,
	listAccounts,
} from '../../accounts/account.ts';
import { balanceDetails, creditOf, spendOf } from '../../balance/credit.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { readForm } from '../form.ts';
import { money } from '../format.ts';
import { done, type Html } from '../layout.ts';
import { actionButton, badge, copyable, type Fact, facts, panel } from '../parts.ts';

const PATH = '/dashboard/accounts';

const FEATURES: [keyof Features, label: string, effect: string][] = [
	['cardManagement', 'Card management', 'The Card endpoints; without it they return 403.'],
	['accountManagement', 'Account management', 'Renames and transfers; without it they return 403.'],
	['webhooks', 'Webhooks', 'Without them, nothing is delivered.'],
];

const state = z.enum(['true', 'false']).transform((value) => value === 'true');

const featureForm = z
	.object({ cardManagement: state, accountManagement: state, webhooks: state })
	.partial()
	.strict();

/** The accounts, each with its balance and feature switches (§5.5). */
export function accountsPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const panels = listAccounts(db).map((account) => accountPanel(services, account));
		return c.render(html`${panels}`, 'Accounts');
	});

	routes.post('/:accountId/features', async (c) => {
		const changes = await readForm(c, featureForm);
		const { name } = changeFeatures(db, Number(c.req.param('accountId')), changes);
		return done(c, `Features of ${name} updated.`);
	});

	return routes;
}

function accountPanel({ db, now }: Services, account: Account): Html {
	const { id, name } = account;
	const at = now();
	const balance = balanceDetails(creditOf(db, [id], at), spendOf(db, [id], at));
	return panel(
		`account-${id}`,
		name,
		html`<div class="columns">
			${facts([
				['Account ID', copyable(String(id), `account ID of ${name}`)],
				['Available credit', money(balance.availableCreditLimit)],
				['Credit limit', money(balance.overallCreditLimit)],
				['Spent in 24 hours', money(balance.last24HoursSpend)],
				['Spent in 30 days', money(balance.last30DaysSpend)],
			])}
			${facts(FEATURES.map((feature) => featureSwitch(account, feature)))}
		</div>`,
	);
}

const featureSwitch = (
	{ id, name, features }: Account,
	[feature, label, effect]: (typeof FEATURES)[number],
): Fact => {
	const isOn = features[feature];
	const fields = html`${badge(isOn ? 'active' : 'off')}
		<input type="hidden" name="${feature}" value="${String(!isOn)}" />`;
	const about = `${label} of ${name}`;
	const change = isOn ? 'Switch off' : 'Switch on';
	return [
		label,
		html`${actionButton(`${PATH}/${id}/features`, change, about, { fields })}
			<small>${effect}</small>`,
	];
};
