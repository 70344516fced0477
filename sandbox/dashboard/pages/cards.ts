import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, listAccounts } from '../../accounts/account.ts';
import { LIMIT_TYPES } from '../../assumptions.ts';
import {
	type Card,
	cardDetails,
	cardStatusSchema,
	cardTypeSchema,
	categorySchema,
	findCard,
	listCards,
} from '../../cards/card.ts';
import { createBody, createCard, takeCardAction } from '../../cards/change.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import { newCardAccountId } from '../../keys/caller.ts';
import type { Services } from '../../services.ts';
import { cardUsage } from '../../transactions/usage.ts';
import { accountLink } from '../entities.ts';
import { accountFilter, accountIdsOf, blank, searchField, statusFilter } from '../filters.ts';
import { type FormSchema, readForm } from '../form.ts';
import { cardName, money, words } from '../format.ts';
import { changed, fragment, type Html, isPartial, page } from '../layout.ts';
import {
	accountOptions,
	actionButton,
	badge,
	confirmDialog,
	dialogButton,
	done,
	empty,
	filterForm,
	live,
	pager,
	SEARCHED_LIST_SECONDS,
	urlWith,
} from '../parts.ts';

const HEADING = {
	title: 'Cards',
	lede: 'All cards of the customer, with their available limits.',
};

const PATH = '/dashboard/cards';

/** The query of the list; a filter that is left empty is absent. */
const listParameters = pageParametersOf(24).extend({
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

const DONE = { freeze: 'frozen', unfreeze: 'active', archive: 'archived' };

const actionSchema = z.enum(['freeze', 'unfreeze', 'archive']);

/** The cards of each account, and the actions of §3. */
export function cardsPage(services: Services): Hono<ControlEnv> {
	const { db, countBudget } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const accounts = listAccounts(db);
		const query = readQuery(c, listParameters);
		const { status, accountId, search } = query;
		const accountIds = accountIdsOf(accounts, accountId);
		const cards = listCards(db, accountIds, query, query, countBudget);
		const url = (number: number) => urlWith(PATH, { status, accountId, search, page: number });
		const list = live(
			'cards',
			url(query.page),
			html`${accounts.map((account) =>
				accountSection(
					services,
					account,
					cards.data.filter((card) => card.accountId === account.id),
				),
			)}
			${cards.data.length === 0 ? empty('No matching cards.') : ''} ${pager(cards, 'card', url)}`,
			SEARCHED_LIST_SECONDS,
		);
		if (isPartial(c)) return c.html(list);
		return page(
			c,
			HEADING,
			html`<div class="toolbar">
					${filterForm(
						PATH,
						'cards',
						html`${searchField(search, 'Name, last four or ID')}
						${statusFilter(cardStatusSchema.options, status)} ${accountFilter(accounts, accountId)}`,
					)}
					${dialogButton(`${PATH}/new`, 'New card', '')}
				</div>
				${list}`,
		);
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

	routes.get('/:cardId/archive', (c) => {
		const card = findCard(db, c.req.param('cardId'));
		if (!card) throw notFound('The card was not found');
		return fragment(
			c,
			HEADING,
			confirmDialog({
				title: `Archive ${cardName(card)}?`,
				consequence:
					'An archived card can never become active again. Pending transactions are still settled.',
				action: 'Archive card',
				path: `${PATH}/${card.id}/archive`,
				dangerous: true,
			}),
		);
	});

	routes.post('/:cardId/:action', (c) => {
		const action = actionSchema.safeParse(c.req.param('action'));
		if (!action.success) throw notFound();
		const card = takeCardAction(db, c.req.param('cardId'), action.data);
		return changed(c, HEADING, done(`${cardName(card)} is ${DONE[action.data]}.`));
	});

	return routes;
}

const ORDER = ['active', 'frozen', 'archived'];

function accountSection(services: Services, { id, name }: Account, cards: Card[]): Html {
	if (cards.length === 0) return html``;
	const sorted = cards.toSorted(
		(one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status),
	);
	return html`<section aria-labelledby="account-${id}">
		<h2 id="account-${id}" class="section-head">${accountLink({ id, name })}</h2>
		<ul class="tiles">
			${sorted.map((card) => tile(services, card))}
		</ul>
	</section>`;
}

function tile({ db, now }: Services, card: Card): Html {
	const details = cardDetails(card, cardUsage(db, card, now()));
	return html`<li class="tile" id="card-${card.id}">
		<p class="tile-head">
			<a href="${PATH}/${card.id}"><strong>${card.name}</strong></a> ${badge(card.status)}
		</p>
		<p class="muted"><span class="digits">•••• ${card.lastFour}</span> · ${card.type}</p>
		<p class="muted">${card.categories.map(words).join(', ')}</p>
		${usage(details)} ${actions(card)}
	</li>`;
}

/** What is left of a card's limit. */
export function usage({ balance, limit }: ReturnType<typeof cardDetails>): Html {
	if (balance === undefined || limit === undefined) return html`<p>No limit</p>`;
	const left = `${money(balance)} of ${money(limit.amount)} left`;
	return html`<p>${left} <small>${limit.type}</small></p>
		<progress value="${balance}" max="${limit.amount}" aria-label="${left}"></progress>`;
}

/** What §3 allows with a card. */
export function actions(card: Card): Html {
	if (card.status === 'archived') return html``;
	const about = cardName(card);
	const path = `${PATH}/${card.id}`;
	return html`<div class="actions">
		${
			card.status === 'frozen'
				? actionButton(`${path}/unfreeze`, 'Unfreeze', about)
				: actionButton(`${path}/freeze`, 'Freeze', about)
		}
		${dialogButton(`${path}/archive`, 'Archive', about, 'quiet')}
	</div>`;
}

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
						${accountOptions(accounts)}
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
							html`<label class="check">
								<input type="checkbox" name="categories[]" value="${category}" />
								${words(category)}
							</label>`,
					)}
				</div>
			</details>`,
	});
}
