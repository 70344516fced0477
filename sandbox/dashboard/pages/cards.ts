import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds, findAccount } from '../../accounts/account.ts';
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
import { listTransactionEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { listTransactions, type Transaction } from '../../transactions/transaction.ts';
import { cardUsage } from '../../transactions/usage.ts';
import {
	accountLink,
	deliveryBadges,
	merchantOf,
	signedAmount,
	stepName,
	transactionLink,
} from '../entities.ts';
import { type FormSchema, readForm } from '../form.ts';
import { cardName, money, words } from '../format.ts';
import { done, type Html } from '../layout.ts';
import { listPanel, readFilters, searchFilter, statusFilter, type Table, table } from '../list.ts';
import {
	actionButton,
	actions,
	badge,
	choice,
	copyable,
	copyButton,
	facts,
	field,
	limitBar,
	panel,
	post,
	submit,
	time,
	timeAgo,
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

/** The transactions that the page of a card shows. */
const LATEST = { sort: 'desc', page: 1, pageSize: 20 } as const;

/** The cards of all accounts, the page of one, and what changes it (§3). */
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

	routes.get('/:cardId', (c) => {
		const card = requested(c.req.param('cardId'));
		return c.render(details(services, card), card.name);
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
			cell: ({ id, name, lastFour, type, accountId }) =>
				html`<a href="${PATH}/${id}">${name}</a> ${copyButton(id, `ID of ${name}`)}
					<small>
						•••• ${lastFour} · ${type} · ${findAccount(services.db, accountId)?.name}
					</small>`,
		},
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{ title: 'Limit', cell: (card) => usage(services, card) },
		{ title: html`<span class="visually-hidden">Actions</span>`, cell: freezeButton },
	],
	empty: 'No cards yet.',
});

/** What is left of a card's limit. */
function usage({ db, now }: Services, card: Card): Html {
	if (!card.limit) return html`<span class="text-body-secondary">No limit</span>`;
	const { spent } = cardUsage(db, card, now());
	const { amount, type } = card.limit;
	return html`${money(amount - spent)}
		<span class="text-body-secondary">left of ${money(amount)}, ${type}</span>
		${limitBar(spent, amount, cardName(card))}`;
}

function freezeButton(card: Card): Html | undefined {
	if (card.status === 'archived') return undefined;
	const action = card.status === 'frozen' ? 'unfreeze' : 'freeze';
	const label = action === 'unfreeze' ? 'Unfreeze' : 'Freeze';
	return actionButton(`${PATH}/${card.id}/${action}`, label, cardName(card));
}

/** What §3 allows with a card. */
function cardActions(card: Card): Html {
	const { id, status } = card;
	if (status === 'archived') return html``;
	return actions(
		html`<a class="btn btn-sm btn-outline-secondary" href="/dashboard/simulate?cardId=${id}"
				>Simulate</a
			>
			<a class="btn btn-sm btn-outline-secondary" href="${PATH}/${id}/edit">Edit</a>`,
		html`${freezeButton(card)}`,
		actionButton(`${PATH}/${id}/archive`, 'Archive', cardName(card), {
			question:
				'An archived card can never become active again. Pending transactions are still settled.',
		}),
	);
}

function details(services: Services, card: Card): Html {
	const { id, accountId, type, createdAt, categories, category, status } = card;
	const entries = facts([
		['Card ID', copyable(id, 'card ID')],
		['Limit', usage(services, card)],
		['Account', accountLink(services, accountId)],
		['Type', type],
		['Categories', categories.map(words).join(', ') || (category ? '' : 'any merchant')],
		['Also in the old category field', category && words(category)],
		['Created', time(createdAt)],
	]);
	const found = listTransactions(services.db, [accountId], { cardId: id }, LATEST);
	return html`${panel(
		'facts',
		html`•••• ${card.lastFour} ${badge(status)}`,
		entries,
		cardActions(card),
	)}
	${panel(
		'transactions',
		'Transactions and their events',
		table(transactionTable(services), found.data),
		html`<a href="/dashboard/transactions?search=${id}">All ${found.totalItemCount}</a>`,
	)}`;
}

/** Transactions of one card: each with its events. */
const transactionTable = (services: Services): Table<Transaction> => ({
	noun: 'transaction',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Merchant',
			cell: (transaction) =>
				html`${transactionLink(transaction.id, merchantOf(transaction))}
					<small>${timeAgo(transaction.createdAt, services.now())}</small>`,
		},
		{
			title: 'Events',
			cell: ({ id }) =>
				html`${listTransactionEvents(services.db, id).map(
					(event) =>
						html`<div class="d-flex gap-2 align-items-center">
							${stepName(services, event)} ${deliveryBadges(services, event)}
						</div>`,
				)}`,
		},
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{ title: 'Amount', cell: signedAmount, isNumber: true },
	],
	empty: html`No transactions yet.`,
});

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
		${categoryFields([...card.categories, card.category])} ${submit('Save')}
	</form>`;

/** All categories, of which a search leaves those that match. It is not part of the form, which Enter would send. */
const categoryFields = (chosen: readonly (string | undefined)[]): Html =>
	html`<fieldset class="mb-3">
		<legend class="form-label mb-1">Categories (none: any merchant)</legend>
		<input
			class="form-control mb-2"
			type="search"
			form=""
			placeholder="Search"
			aria-label="Search categories"
			data-filter="#categories label"
		/>
		<div id="categories" class="fields" hx-morph-skip-children>
			${valueOptions(categorySchema.options).map(
				([value, label]) =>
					html`<label class="form-check">
						<input
							class="form-check-input"
							type="checkbox"
							name="categories[]"
							value="${value}"
							${chosen.includes(value) ? html`checked` : ''}
						/>
						${label}
					</label>`,
			)}
		</div>
	</fieldset>`;
