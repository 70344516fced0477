import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, findAccount, listAccounts } from '../../accounts/account.ts';
import { LIMIT_TYPES } from '../../assumptions.ts';
import { newCardAccountId } from '../../cards/access.ts';
import {
	type Card,
	cardDetails,
	cardStatusSchema,
	cardTypeSchema,
	categorySchema,
	listCards,
} from '../../cards/card.ts';
import { createBody, createCard } from '../../cards/change.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { cardUsage } from '../../transactions/usage.ts';
import { accountLink } from '../entities.ts';
import { type FormSchema, readForm } from '../form.ts';
import { words } from '../format.ts';
import { fragment, type Html, isPartial } from '../layout.ts';
import {
	accountFilter,
	accountIdsOf,
	blank,
	type List,
	SEARCHED_LIST_SECONDS,
	searchFilter,
	showList,
	statusFilter,
} from '../list.ts';
import { accountChoices, badge, confirmDialog, dialogButton, options } from '../parts.ts';
import { cardActions, usage } from './card.ts';

const HEADING = {
	title: 'Cards',
	lede: 'All cards of the customer, with their available limits.',
};

const PATH = '/dashboard/cards';

/** The query of the list; a filter that is left empty is absent. */
const listParameters = pageParametersOf(25).extend({
	status: blank(cardStatusSchema),
	accountId: blank(z.coerce.number().int()),
	search: blank(z.string().trim()),
});

/** The fields of a card as a form has them; a limit is there when its amount is. */
const cardForm: FormSchema<z.infer<typeof createBody>> = z
	.object({
		accountId: z.coerce.number().int(),
		'categories[]': z.array(z.string()).optional(),
		'limit.amount': z.string().optional(),
		'limit.type': z.string().optional(),
	})
	.passthrough()
	.transform(
		({ 'categories[]': categories, 'limit.amount': amount, 'limit.type': type, ...card }) => ({
			...card,
			categories,
			limit: amount === undefined ? undefined : { amount, type },
		}),
	)
	.pipe(createBody);

/** The cards of all accounts, and what makes a new one. */
export function cardsPage(services: Services): Hono<ControlEnv> {
	const { db, countBudget } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const accounts = listAccounts(db);
		const query = readQuery(c, listParameters);
		const cards = listCards(db, accountIdsOf(accounts, query.accountId), query, query, countBudget);
		return showList(c, HEADING, cardList(services, accounts, query), cards);
	});

	routes.get('/new', (c) => fragment(c, HEADING, newCardDialog(listAccounts(db))));

	routes.post('/', async (c) => {
		const body = await readForm(c, cardForm);
		const card = createCard(
			services,
			body,
			newCardAccountId(db, { scope: 'customer' }, body.accountId),
		);
		const url = `${PATH}/${card.id}`;
		if (!isPartial(c)) return c.redirect(url, 303);
		c.header('hx-redirect', url);
		return c.body(null);
	});

	return routes;
}

const cardList = (
	{ db, now }: Services,
	accounts: Account[],
	query: z.infer<typeof listParameters>,
): List<Card> => ({
	title: 'All cards',
	path: PATH,
	noun: 'card',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Card',
			cell: ({ id, name, lastFour, type }) =>
				html`<a href="${PATH}/${id}">${name}</a> <small>•••• ${lastFour} · ${type}</small>`,
		},
		{
			title: 'Account',
			cell: ({ accountId }) => {
				const account = findAccount(db, accountId);
				return account && accountLink(account);
			},
		},
		{ title: 'Limit', cell: (card) => usage(cardDetails(card, cardUsage(db, card, now()))) },
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{ title: 'Actions', cell: cardActions },
	],
	filters: [
		searchFilter('Name, last four or ID'),
		statusFilter(cardStatusSchema.options),
		accountFilter(accounts),
	],
	query,
	seconds: SEARCHED_LIST_SECONDS,
	aside: dialogButton(`${PATH}/new`, 'New card', ''),
	empty: 'No cards yet.',
});

function newCardDialog(accounts: Account[]): Html {
	return confirmDialog({
		title: 'New card',
		consequence: 'The card is virtual and active immediately. Its last four digits are random.',
		action: 'Create card',
		path: PATH,
		fields: html`<label>
				Name
				<input name="name" required autofocus autocomplete="off" />
			</label>
			<div class="fields">
				<label>
					Account
					<select name="accountId">
						${options(accountChoices(accounts))}
					</select>
				</label>
				<label>
					Type
					<select name="type">
						${cardTypeSchema.options.toReversed().map((type) => html`<option>${type}</option>`)}
					</select>
				</label>
				<label>
					Limit (optional)
					<input name="limit.amount" inputmode="decimal" placeholder="500.00" autocomplete="off" />
				</label>
				<label>
					Limit type
					<select name="limit.type">
						${LIMIT_TYPES.map((type) => html`<option>${type}</option>`)}
					</select>
				</label>
			</div>
			<details>
				<summary>Categories (none selected: any merchant)</summary>
				<div class="fields">
					${categorySchema.options.map(
						(category) =>
							html`<label>
								<input type="checkbox" name="categories[]" value="${category}" />
								${words(category)}
							</label>`,
					)}
				</div>
			</details>`,
	});
}
