import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds, findAccount, listAccounts } from '../../accounts/account.ts';
import { LIMIT_TYPES } from '../../assumptions.ts';
import * as cards from '../../cards/card.ts';
import {
	changeCard,
	createBody,
	createCard,
	takeCardAction,
	updateBody,
} from '../../cards/change.ts';
import { listTransactionEvents } from '../../events/financialEvent.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { pageParametersOf } from '../../http/query.ts';
import { formatAmount } from '../../money.ts';
import type { Services } from '../../services.ts';
import { listTransactions, type Transaction } from '../../transactions/transaction.ts';
import { cardUsage } from '../../transactions/usage.ts';
import * as ui from '../ui.ts';

type Card = cards.Card;

const PATH = '/dashboard/cards';

const listParameters = pageParametersOf(25).extend({
	status: cards.cardStatusSchema.optional(),
	search: z.string().trim().optional(),
});

/** The fields of a card as a form has them; without an amount, there is no limit. */
const cardForm = <T>(body: z.ZodType<T>, noLimit: null | undefined): z.ZodType<T> =>
	z.preprocess(
		({ accountId, ...form }: Record<string, string | string[] | undefined>) => ({
			...form,
			name: form.name ?? '',
			accountId: accountId === undefined ? undefined : Number(accountId),
			categories: [form['categories[]'] ?? []].flat(),
			limit: form['limit.amount']
				? { amount: form['limit.amount'], type: form['limit.type'] }
				: noLimit,
		}),
		body,
	);

const TYPES = cards.cardTypeSchema.options;

const actionSchema = z.enum(cards.CARD_ACTIONS);

const LATEST = { sort: 'desc', page: 1, pageSize: 20 } as const;

/** The cards of all accounts, the page of one, and what creates and changes it (§3). */
export function addCards(pages: ui.Pages, services: Services): void {
	const { db } = services;

	const requested = (id: string): Card => ui.found(cards.findCard(db, id), 'card');

	pages.get('/cards', (c) => {
		const query = ui.readFilters(c, listParameters);
		const found = cards.listCards(db, allAccountIds(db), query, query);
		const filters = [
			ui.searchFilter('Name, digits or ID', query.search),
			ui.anyFilter('Status', 'status', cards.cardStatusSchema.options, query.status),
		];
		const action = ui.linkButton(`${PATH}/new`, 'Create card', 'btn-primary');
		return c.render(ui.listPanel(c, cardTable(services), filters, found), 'Cards', { action });
	});

	pages.get('/cards/new', (c) =>
		c.render(ui.panel('new', 'New card', formOf(services, 'new', 'Create card')), 'Create a card'),
	);

	pages.post('/cards/new', async (c) => {
		const fields = await ui.readForm(c, cardForm(createBody, undefined));
		const account = findAccount(db, fields.accountId ?? 0);
		if (!account) throw badRequest('accountId: choose an account');
		return ui.goTo(c, `${PATH}/${createCard(services, fields, account.id).id}`);
	});

	pages.get('/cards/:cardId', (c) => {
		const card = requested(c.req.param('cardId'));
		return c.render(details(services, card), card.name, { action: cardActions(card) });
	});

	pages.get('/cards/:cardId/edit', (c) => {
		const card = requested(c.req.param('cardId'));
		const form = formOf(services, `${card.id}/edit`, 'Save', card);
		return c.render(ui.panel('edit', ui.cardName(card), form), 'Edit a card');
	});

	pages.post('/cards/:cardId/edit', async (c) => {
		const fields = await ui.readForm(c, cardForm(updateBody, null));
		const card = db.transaction(() => {
			const before = requested(c.req.param('cardId'));
			// §2: only the web UI replaces the deprecated category by categories.
			return changeCard(db, { ...before, category: undefined }, fields);
		});
		return ui.goTo(c, `${PATH}/${card.id}`);
	});

	pages.post('/cards/:cardId/:action', (c) => {
		const action = actionSchema.safeParse(c.req.param('action'));
		if (!action.success) throw notFound();
		const card = takeCardAction(db, c.req.param('cardId'), action.data);
		return ui.done(c, `${ui.cardName(card)} is ${card.status}.`);
	});
}

const cardTable = (services: Services): ui.Table<Card> => ({
	noun: 'card',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Card',
			cell: ({ id, name, lastFour, type, accountId }) =>
				html`<a href="${PATH}/${id}">${name}</a> ${ui.copyButton(id, `ID of ${name}`)}
					<small>
						•••• ${lastFour} · ${type} · ${findAccount(services.db, accountId)?.name}
					</small>`,
		},
		{ title: 'Status', cell: ({ status }) => ui.badge(status) },
		{ title: 'Limit', cell: (card) => usage(services, card) },
		{ cell: freezeButton },
	],
	empty: 'No cards yet.',
});

function usage({ db, now }: Services, card: Card): ui.Html {
	if (!card.limit) return html`<span class="text-body-secondary">No limit</span>`;
	const { spent } = cardUsage(db, card, now());
	const { amount, type } = card.limit;
	return ui.used(spent, amount, ui.cardName(card), type);
}

function freezeButton(card: Card): ui.Html | undefined {
	if (card.status === 'archived') return undefined;
	const action = card.status === 'frozen' ? 'unfreeze' : 'freeze';
	const label = action === 'unfreeze' ? 'Unfreeze' : 'Freeze';
	return ui.actionButton(`${PATH}/${card.id}/${action}`, label, ui.cardName(card));
}

const ARCHIVE =
	'An archived card can never become active again. Pending transactions are still settled.';

/** What §3 allows with a card. */
function cardActions(card: Card): ui.Html {
	const { id, status } = card;
	if (status === 'archived') return html``;
	return ui.actions(
		ui.linkButton(`/dashboard/simulate?cardId=${id}`, 'Simulate'),
		ui.linkButton(`${PATH}/${id}/edit`, 'Edit'),
		freezeButton(card) ?? '',
		ui.actionButton(`${PATH}/${id}/archive`, 'Archive', ui.cardName(card), { question: ARCHIVE }),
	);
}

function details(services: Services, card: Card): ui.Html {
	const { id, accountId, type, createdAt, categories, category, status, lastFour } = card;
	const entries = ui.facts([
		['Limit', usage(services, card)],
		[
			'Balance',
			card.limit &&
				ui.money(card.limit.amount - cardUsage(services.db, card, services.now()).spent),
		],
		['Account', ui.accountLink(services, accountId)],
		['Type', type],
		['Categories', categories.map(ui.words).join(', ') || (category ? '' : 'any merchant')],
		['Also in the old category field', category && ui.words(category)],
		['Created', ui.time(createdAt)],
		['Card ID', ui.copyable(id, 'card ID')],
	]);
	const found = listTransactions(services.db, [accountId], { cardId: id }, LATEST);
	return html`${ui.panel('facts', html`•••• ${lastFour} ${ui.badge(status)}`, entries)}
	${ui.panel(
		'transactions',
		'Transactions and their events',
		ui.table(ui.transactionTable(services, eventsColumn(services)), found.data),
		ui.link(`/dashboard/transactions?search=${id}`, `All ${found.totalItemCount}`),
	)}`;
}

const eventsColumn = (services: Services): ui.Column<Transaction> => ({
	title: 'Events',
	cell: ({ id }) =>
		html`${listTransactionEvents(services.db, id).map(
			(event) =>
				html`<div class="mb-1">
					${ui.stepName(services, event)} ${ui.deliveryBadges(services, event)}
				</div>`,
		)}`,
});

/** The form of a new card, or of one that exists, whose type and account stay. */
const formOf = ({ db }: Services, path: string, label: string, card?: Card): ui.Html =>
	html`<form ${ui.post(`${PATH}/${path}`)}>
		${ui.field('Name', html`name="name" required maxlength="255" value="${card?.name ?? ''}"`)}
		<div class="fields">
			${!card && ui.choice('Type', html`name="type"`, ui.valueOptions(TYPES), 'recurring')}
			${!card && ui.choice('Account', html`name="accountId"`, ui.accountOptions(listAccounts(db)))}
			${ui.field(
				'Limit in USD (optional)',
				html`inputmode="decimal" name="limit.amount"
				value="${card?.limit ? formatAmount(card.limit.amount) : ''}"`,
			)}
			${ui.choice('Limit type', html`name="limit.type"`, ui.valueOptions(LIMIT_TYPES), card?.limit?.type)}
		</div>
		${categoryFields(card ? [...card.categories, card.category] : [])} ${ui.submit(label)}
	</form>`;

/** All categories, of which a search leaves those that match. It is not part of the form, which Enter would send. */
const categoryFields = (chosen: readonly (string | undefined)[]): ui.Html =>
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
		<div id="categories" class="fields border rounded p-3 overflow-y-auto" hx-morph-skip-children>
			${ui.valueOptions(cards.categorySchema.options).map(
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
