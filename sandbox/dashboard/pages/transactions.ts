import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds } from '../../accounts/account.ts';
import {
	causeOf,
	type FinancialEvent,
	listTransactionEvents,
} from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import { pageParametersOf } from '../../http/query.ts';
import { formatAmount, positiveAmountSchema } from '../../money.ts';
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
import * as ui from '../ui.ts';

const PATH = '/dashboard/transactions';

const listParameters = pageParametersOf(25).extend({
	status: transactionStatusSchema.optional(),
	search: z.string().trim().optional(),
});

const stepSchema = z.enum(STEPS);

const amountForm = z.object({ amount: positiveAmountSchema.optional() });

/** The list of transactions, and the page of one: its events, and what the network may do next. */
export function addTransactions(pages: ui.Pages, services: Services): void {
	const { db } = services;

	const requested = (id: string): Transaction =>
		ui.found(findTransaction(db, id, allAccountIds(db)), 'transaction');

	pages.get('/transactions/:id', (c) => {
		const transaction = requested(c.req.param('id'));
		return c.render(details(services, transaction), ui.merchantOf(transaction));
	});

	pages.post('/transactions/:id/:step', async (c) => {
		const transaction = requested(c.req.param('id'));
		const step = stepSchema.safeParse(c.req.param('step'));
		if (!step.success) throw notFound();
		const { amount } = await ui.readForm(c, amountForm);
		const { event } = simulateStep(services, step.data, transaction.id, amount);
		return ui.done(c, `${ui.summary(services, event)}.`);
	});

	pages.get('/transactions', (c) => {
		const query = ui.readFilters(c, listParameters);
		const filters = [
			ui.searchFilter('Merchant or card', query.search),
			ui.anyFilter('Status', 'status', transactionStatusSchema.options, query.status),
		];
		const found = listTransactions(db, allAccountIds(db), query, query);
		const cardColumn: ui.Column<Transaction> = {
			title: 'Card',
			cell: ({ cardId }) => ui.cardLink(services, cardId),
		};
		const list = ui.listPanel(c, ui.transactionTable(services, cardColumn), filters, found);
		return c.render(list, 'Transactions');
	});
}

function details(services: Services, transaction: Transaction): ui.Html {
	const { id, cardId, currency, createdAt, status } = transaction;
	const events = listTransactionEvents(services.db, id);
	const deliveries = events.flatMap((event) => ui.deliveriesOf(services, event));
	const amounts = stepAmounts(transaction);
	const sum = (value: number) => (value === 0 ? undefined : ui.money(value, currency));
	const entries = ui.facts([
		['Amount', ui.signedAmount(transaction)],
		['Reason', ui.reasonsOf(events)],
		['Pending', sum(amounts.held)],
		['Refundable', sum(amounts.refundable)],
		['Card', ui.cardLink(services, cardId)],
		['Created', ui.time(createdAt)],
		['Transaction ID', ui.copyable(id, 'transaction ID')],
	]);
	const steps = STEPS.filter((step) => leftFor(step, amounts) > 0);
	const table = ui.table(ui.deliveryTable(services, events.at(-1)), deliveries);
	return html`${ui.panel('facts', html`Transaction ${ui.badge(status)}`, entries)}
	${ui.panel('events', 'Events', html`${events.map((event) => eventDetails(services, event))}`)}
	${ui.panel('deliveries', 'Deliveries', table)}
	${
		steps.length > 0 &&
		ui.panel(
			'continue',
			'Continue this transaction',
			html`<div class="fields">
				${steps.map((step) => stepForm(id, step, leftFor(step, amounts)))}
			</div>`,
		)
	}`;
}

const leftFor = (step: Step, { held, refundable }: ReturnType<typeof stepAmounts>): number =>
	step === 'refund' ? refundable : held;

const NAMES: Record<Step, string> = {
	increment: 'Increase',
	clearing: 'Clear',
	release: 'Release',
	reversal: 'Reverse',
	refund: 'Refund',
};

/** A step with the amount that it needs, or may have. A release is always about all that is held. */
function stepForm(id: string, step: Step, left: number): ui.Html {
	const label = NAMES[step];
	const hint = step === 'increment' ? 'amount' : `all: ${formatAmount(left)}`;
	const rule = step === 'increment' ? html`required` : step === 'release' ? html`disabled` : '';
	return ui.inlineForm(
		`${PATH}/${id}/${step}`,
		label,
		'',
		html`name="amount" inputmode="decimal" placeholder="${hint}" ${rule} aria-label="Amount to
		${label.toLowerCase()}"`,
	);
}

/** A step of a transaction, and its event as it is served and delivered. */
const eventDetails = (services: Services, event: FinancialEvent): ui.Html =>
	html`<details class="py-2" id="event-${event.id}">
		<summary class="mb-2">
			${ui.summary(services, event)}
			<small>${ui.timeAgo(causeOf(services.db, event.id)?.at ?? '', services.now())}</small>
		</summary>
		${ui.preformatted('Event', JSON.stringify(event, null, 2))}
	</details>`;
