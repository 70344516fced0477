import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds } from '../../accounts/account.ts';
import { type FinancialEvent, listTransactionEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf } from '../../http/query.ts';
import { positiveAmountSchema } from '../../money.ts';
import type { Services } from '../../services.ts';
import { type Step, STEPS } from '../../simulate/lifecycle.ts';
import { simulateStep } from '../../simulate/steps.ts';
import {
	findTransaction,
	listTransactions,
	stepAmounts,
	type Transaction,
	transactionStatusSchema,
} from '../../transactions/transaction.ts';
import {
	cardLink,
	deliveriesOf,
	deliveryTable,
	issuesOf,
	merchantOf,
	summary,
	transactionLink,
} from '../entities.ts';
import { readForm } from '../form.ts';
import { money } from '../format.ts';
import { done, type Html } from '../layout.ts';
import { listPanel, readFilters, searchFilter, statusFilter, type Table, table } from '../list.ts';
import {
	actions,
	badge,
	copyable,
	facts,
	field,
	formError,
	panel,
	post,
	preformatted,
	time,
} from '../parts.ts';

const day = z.iso.date('expected a date such as 2026-01-31');

const listParameters = pageParametersOf(25).extend({
	status: transactionStatusSchema.optional(),
	search: z.string().trim().optional(),
	from: day.optional(),
	to: day.optional(),
});

const stepBody = z.object({ step: z.enum(STEPS), amount: positiveAmountSchema.optional() });

/** The list of transactions, and the page of one: its events, and what the network may do next. */
export function transactionsPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Transaction => {
		const transaction = findTransaction(db, id, allAccountIds(db));
		if (!transaction) throw notFound('The transaction was not found');
		return transaction;
	};

	routes.get('/:id', (c) => {
		const transaction = requested(c.req.param('id'));
		return c.render(details(services, transaction), merchantOf(transaction));
	});

	routes.post('/:id', async (c) => {
		const transaction = requested(c.req.param('id'));
		const { step, amount } = await readForm(c, stepBody);
		const { event } = simulateStep(services, step, transaction.id, amount);
		return done(c, `${summary(services, event)}.`);
	});

	routes.get('/', (c) => {
		const query = readFilters(c, listParameters);
		const list = {
			title: 'All transactions',
			...transactionTable(services),
			filters: [
				searchFilter('Merchant or card', query.search),
				statusFilter(transactionStatusSchema.options, query.status),
				dayFilter('from', 'From', query.from),
				dayFilter('to', 'To', query.to),
			],
		};
		const range = { createdAfter: startOf(query.from, 0), createdBefore: startOf(query.to, 1) };
		const filter = { ...query, ...range };
		const found = listTransactions(db, allAccountIds(db), filter, query);
		return c.render(listPanel(c, list, found), 'Transactions');
	});

	return routes;
}

const dayFilter = (name: string, label: string, value = ''): Html =>
	field(label, html`type="date" name="${name}" value="${value}"`);

/** When a day, or a later one, begins on this machine. */
function startOf(date: string | undefined, daysLater: number): string | undefined {
	if (date === undefined) return undefined;
	const start = new Date(`${date}T00:00:00`);
	start.setDate(start.getDate() + daysLater);
	return start.toISOString();
}

const transactionTable = (services: Services): Table<Transaction> => ({
	noun: 'transaction',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Merchant',
			cell: (transaction) =>
				html`${transactionLink(transaction.id, merchantOf(transaction))}
					<small>${time(transaction.createdAt)}</small>`,
		},
		{ title: 'Card', cell: ({ cardId }) => cardLink(services, cardId) },
		{ title: 'Amount', cell: signedAmount, isNumber: true },
		{ title: 'Status', cell: ({ status }) => badge(status) },
		{
			title: 'Reason of the decline',
			cell: ({ id, status }) =>
				status === 'declined' ? reasonsOf(listTransactionEvents(services.db, id)) : undefined,
		},
	],
	empty: 'No transactions yet.',
});

/** "+$12.50" for a refund. */
const signedAmount = ({ amount, currency, amountDirection }: Transaction): string =>
	`${amountDirection === 'credit' ? '+' : ''}${money(amount, currency)}`;

const reasonsOf = (events: FinancialEvent[]): string =>
	events.map(issuesOf).filter(Boolean).join(', ');

function details(services: Services, transaction: Transaction): Html {
	const { id, cardId, currency, createdAt, status } = transaction;
	const events = listTransactionEvents(services.db, id);
	const deliveries = events.flatMap((event) => deliveriesOf(services, event));
	const { held, refundable } = stepAmounts(transaction);
	const steps = STEPS.filter((step) => (step === 'refund' ? refundable : held) > 0);
	const sum = (value: number) => (value === 0 ? undefined : money(value, currency));
	const entries = facts([
		['Transaction ID', copyable(id, 'transaction ID')],
		['Amount', signedAmount(transaction)],
		['Declined because of', reasonsOf(events)],
		['Pending', sum(held)],
		['Refundable', sum(refundable)],
		['Card', cardLink(services, cardId)],
		['Created', time(createdAt)],
	]);
	return html`${panel('facts', html`Transaction ${badge(status)}`, entries)}
	${panel('events', 'Events', html`${events.map((event) => eventDetails(services, event))}`)}
	${panel('deliveries', 'Deliveries', table(deliveryTable(services), deliveries))}
	${steps.length === 0 ? '' : panel('continue', 'Continue this transaction', stepForm(id, steps))}`;
}

const stepForm = (id: string, steps: Step[]): Html =>
	html`<form id="step-form" ${post(`/dashboard/transactions/${id}`)}>
		<div class="fields">${field('Amount, if not all', html`name="amount"`)}</div>
		${formError()}
		${actions(
			steps.map(
				(step) =>
					html`<button
						class="btn btn-outline-secondary text-capitalize"
						name="step"
						value="${step}"
					>
						${step}
					</button>`,
			),
		)}
	</form>`;

/** A step of a transaction, and its event as it is served and delivered. */
const eventDetails = (services: Services, event: FinancialEvent): Html =>
	html`<details class="py-2" id="event-${event.id}">
		<summary class="mb-2">${summary(services, event)}</summary>
		${preformatted('Event', JSON.stringify(event, null, 2))}
	</details>`;
