import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { allAccountIds, findAccount } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import { type FinancialEvent, listTransactionEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { positiveAmountSchema } from '../../money.ts';
import type { Services } from '../../services.ts';
import { listSettlements, type Settlement } from '../../settlements/settlement.ts';
import { type Step, STEPS } from '../../simulate/lifecycle.ts';
import { simulateStep } from '../../simulate/steps.ts';
import { findTransaction, stepAmounts, type Transaction } from '../../transactions/transaction.ts';
import {
	accountLink,
	cardLink,
	deliveryBadges,
	issuesOf,
	merchantOf,
	summary,
} from '../entities.ts';
import { readForm } from '../form.ts';
import { dateTime, money } from '../format.ts';
import { changed, type Html, isPartial, page } from '../layout.ts';
import { type Table, table } from '../list.ts';
import {
	amountField,
	badge,
	copyable,
	done,
	elsewhere,
	facts,
	field,
	formError,
	live,
	panel,
	post,
	preformatted,
	time,
} from '../parts.ts';
import { signedAmount } from './transactions.ts';

/** Settlements that the page shows: a transaction rarely has as many. */
const OLDEST_SETTLEMENTS = { sort: 'asc', page: 1, pageSize: 100 } as const;

const stepBody = z.object({ step: z.enum(STEPS), amount: positiveAmountSchema.optional() });

const STEP_LABELS: Record<Step, string> = {
	increment: 'Increase',
	clearing: 'Clear',
	release: 'Release',
	reversal: 'Reverse',
	refund: 'Refund',
};

/** One transaction: its events and settlements, and what the network may do next. */
export function transactionPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Transaction => {
		const transaction = findTransaction(db, id, allAccountIds(db));
		if (!transaction) throw notFound('The transaction was not found');
		return transaction;
	};

	routes.get('/:id', (c) => {
		const transaction = requested(c.req.param('id'));
		const state = live('transaction', c.req.path, details(services, transaction));
		return isPartial(c) ? c.html(state) : page(c, headingOf(transaction), state);
	});

	routes.post('/:id', async (c) => {
		const transaction = requested(c.req.param('id'));
		const { step, amount } = await readForm(c, stepBody);
		const { event } = simulateStep(services, step, transaction.id, amount);
		const message = done(`${summary(services, event)}.`);
		const cleared = elsewhere('#step-amount', amountToTake());
		return changed(c, headingOf(transaction), html`${cleared}${message}`);
	});

	return routes;
}

const headingOf = (transaction: Transaction) => ({
	title: merchantOf(transaction),
	lede: `${transaction.amountDirection === 'credit' ? 'Refund' : 'Purchase'} · ${dateTime(transaction.createdAt)}`,
});

function details(services: Services, transaction: Transaction): Html {
	const { db } = services;
	const { id, cardId, accountId, currency, createdAt, status } = transaction;
	const card = findCard(db, cardId);
	const account = findAccount(db, accountId);
	const filter = { transactionId: id, cardId };
	const settlements = listSettlements(db, [accountId], filter, OLDEST_SETTLEMENTS, 100).data;
	const events = listTransactionEvents(db, id);
	const { held, refundable } = stepAmounts(transaction);
	const steps = STEPS.filter((step) => (step === 'refund' ? refundable : held) > 0);
	const sum = (value: number) => (value === 0 ? undefined : money(value, currency));
	const entries = facts([
		['Transaction ID', copyable(id, 'transaction ID')],
		['Amount', signedAmount(transaction)],
		['Declined because of', events.map(issuesOf).filter(Boolean).join(', ')],
		['Authorized', money(transaction.authorizedAmount, currency)],
		['Pending', sum(held)],
		['Cleared', sum(transaction.clearedAmount)],
		['Refunded', sum(transaction.refundedAmount)],
		['Refundable', sum(refundable)],
		['Card', card && cardLink(card)],
		['Account', account && accountLink(account)],
		['Created', time(createdAt)],
	]);
	return html`${panel('facts', html`Transaction ${badge(status)}`, entries)}
	${panel('events', 'Events', table(eventTable(services), events), 'Each step is an event.')}
	${panel('settlements', 'Settlements', table(SETTLEMENT_TABLE, settlements))}
	${steps.length === 0 ? '' : panel('continue', 'Continue this transaction', stepForm(id, steps))}`;
}

const amountToTake = (): Html => field('Amount, if not all', amountField());

const stepForm = (id: string, steps: Step[]): Html =>
	html`<form id="step-form" ${post(`/dashboard/transactions/${id}`)}>
		<div id="step-amount" class="fields" hx-morph-skip-children>${amountToTake()}</div>
		${formError()}
		<div class="d-flex flex-wrap gap-2">
			${steps.map(
				(step) =>
					html`<button class="btn btn-outline-secondary" name="step" value="${step}">
						${STEP_LABELS[step]}
					</button>`,
			)}
		</div>
	</form>`;

/** What happened, and the event as it is served and delivered. */
const eventTable = (services: Services): Table<FinancialEvent> => ({
	noun: 'event',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Event',
			cell: (event) =>
				html`<details>
					<summary>${summary(services, event)}</summary>
					${preformatted('Fields', JSON.stringify(event, null, 2))}
				</details>`,
		},
		{ title: 'Event ID', cell: ({ id }) => copyable(id, 'event ID') },
		{ title: 'Deliveries', cell: (event) => deliveryBadges(services, event) },
	],
	empty: 'No events yet.',
});

const SETTLEMENT_TABLE: Table<Settlement> = {
	noun: 'settlement',
	id: ({ id }) => id,
	columns: [
		{ title: 'Settled', cell: ({ createdAt }) => time(createdAt) },
		{ title: 'Settlement ID', cell: ({ id }) => copyable(id, 'settlement ID') },
		{ title: 'Amount', cell: signedAmount, isNumber: true },
	],
	empty: 'Nothing was settled yet.',
};
