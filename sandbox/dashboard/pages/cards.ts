import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds } from '../../accounts/account.ts';
import { LIMIT_TYPES } from '../../assumptions.ts';
import {
	type Card,
	CARD_ACTIONS,
	cardDetails,
	cardStatusSchema,
	categorySchema,
	findCard,
	listCards,
} from '../../cards/card.ts';
import { changeCard, takeCardAction, updateBody } from '../../cards/change.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { cardUsage } from '../../transactions/usage.ts';
import { accountLink } from '../entities.ts';
import { type FormSchema, readForm } from '../form.ts';
import { cardName, money, words } from '../format.ts';
import { done, type Html } from '../layout.ts';
import { listPanel, readFilters, searchFilter, statusFilter, type Table } from '../list.ts';
import {
	actionButton,
	actions,
	badge,
	choice,
	copyable,
	field,
	panel,
	post,
	submit,
	valueOptions,
} from '../parts.ts';

const PATH = '/dashboard/cards';

const listParameters = pageParametersOf(25).extend({
	status: cardStatusSchema.optional(),
	search: z.string().trim().optional(),
});

/** The fields of a card as a form has them: without an amount, the limit is removed. */
const cardForm: FormSchema<z.infer<typeof updateBody>> = z.preprocess(
	(form: Record<string, string | string[] | undefined>) => ({
		name: form.name ?? '',
		categories: [form['categories[]'] ?? []].flat(),
		limit: form['limit.amount'] ? { amount: form['limit.amount'], type: form['limit.type'] } : null,
	}),
	updateBody,
);

const actionSchema = z.enum(CARD_ACTIONS);

/** The cards of all accounts, and what changes one (§3). */
export function cardsPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Card => {
		const card = findCard(db, id);
		if (!card) throw notFound('The card was not found');
		return card;
	};

	routes.get('/', (c) => {
		const query = readFilters(c, listParameters);
		const cards = listCards(db, allAccountIds(db), query, query);
		const list = {
			title: 'All cards',
			...cardTable(services),
			filters: [
				searchFilter('Name, digits or ID', query.search),
				statusFilter(cardStatusSchema.options, query.status),
			],
		};
		return c.render(listPanel(c, list, cards), 'Cards');
	});

	routes.get('/:cardId/edit', (c) => {
		const card = requested(c.req.param('cardId'));
		return c.render(panel('edit', cardName(card), editForm(card)), 'Edit a card');
	});

	routes.post('/:cardId/edit', async (c) => {
		const fields = await readForm(c, cardForm);
		const card = db.transaction(() => {
			const before = requested(c.req.param('cardId'));
			// §2: only the web UI replaces the deprecated category by categories.
			return changeCard(db, { ...before, category: undefined }, fields);
		});
		return done(c, `${cardName(card)} is updated.`);
	});

	routes.post('/:cardId/:action', (c) => {
		const action = actionSchema.safeParse(c.req.param('action'));
		if (!action.success) throw notFound();
		const card = takeCardAction(db, c.req.param('cardId'), action.data);
		return done(c, `${cardName(card)} is ${card.status}.`);
	});

	return routes;
}

const cardTable = (services: Services): Table<Card> => ({
	noun: 'card',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Card',
			cell: ({ id, name, lastFour, type, categories, category }) =>
				html`<a href="/dashboard/transactions?search=${id}">${name}</a>
					<small>•••• ${lastFour} · ${type}</small>
					<small>${copyable(id, `ID of ${name}`)}</small>
					<small>${categories.map(words).join(', ') || (category ? '' : 'any category')}</small>
					${category ? html`<small>deprecated category: ${words(category)}</small>` : ''}`,
		},
		{ title: 'Account', cell: ({ accountId }) => accountLink(services, accountId) },
		{ title: 'Limit', cell: (card) => usage(services, card) },
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{ title: 'Actions', cell: cardActions },
	],
	empty: 'No cards yet.',
});

/** What is left of a card's limit. */
function usage({ db, now }: Services, card: Card): Html {
	const { balance, limit } = cardDetails(card, cardUsage(db, card, now()));
	if (balance === undefined || limit === undefined) return html`No limit`;
	return html`${money(balance)} left <small>of ${money(limit.amount)}, ${limit.type}</small>`;
}

/** What §3 allows with a card. */
function cardActions(card: Card): Html {
	if (card.status === 'archived') return html``;
	const about = cardName(card);
	const path = `${PATH}/${card.id}`;
	return actions(
		html`<a class="btn btn-sm btn-outline-secondary" href="${path}/edit" aria-label="Edit ${about}"
			>Edit</a
		>`,
		card.status === 'frozen'
			? actionButton(`${path}/unfreeze`, 'Unfreeze', about)
			: actionButton(`${path}/freeze`, 'Freeze', about),
		actionButton(`${path}/archive`, 'Archive', about, {
			question:
				'An archived card can never become active again. Pending transactions are still settled.',
		}),
	);
}

const editForm = (card: Card): Html =>
	html`<form ${post(`${PATH}/${card.id}/edit`)} hx-target="this">
		${field('Name', html`name="name" required value="${card.name}"`)}
		<div class="fields">
			${field(
				'Limit (optional)',
				html`name="limit.amount" inputmode="decimal"
				value="${cardDetails(card, { spent: 0 }).limit?.amount ?? ''}"`,
			)}
			${choice('Limit type', html`name="limit.type"`, valueOptions(LIMIT_TYPES), [card.limit?.type])}
		</div>
		${choice(
			'Categories (none: any merchant)',
			html`name="categories[]" multiple size="6"`,
			valueOptions(categorySchema.options),
			[...card.categories, card.category],
		)}
		${submit('Save')}
	</form>`;
