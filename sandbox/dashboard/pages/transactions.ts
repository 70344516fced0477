import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds } from '../../accounts/account.ts';
import {
	causeOf,
	type FinancialEvent,
	listTransactionEvents,
} from '../../events/financialEvent.ts';
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
import * as ui from '../ui.ts';

const PATH = '/dashboard/transactions';

const listParameters = pageParametersOf(25).extend({
	status: transactionStatusSchema.optional(),
	search: z.string().trim().optional(),
});

const stepForm = z.object({ step: z.enum(STEPS), amount: positiveAmountSchema.optional() });

/** The usual step first. */
const ORDER = [...new Set<Step>(['clearing', ...STEPS])];

/** The list of transactions, and the page of one: its events, and what the network may do next. */
export function addTransactions(pages: ui.Pages, services: Services): void {
	const { db } = services;

	const requested = (id: string): Transaction =>
		ui.found(findTransaction(db, id, allAccountIds(db)), 'transaction');

	pages.get('/transactions/:id', (c) => {
		const transaction = requested(c.req.param('id'));
		return c.render(details(services, transaction), ui.merchantOf(transaction));
	});

	pages.post('/transactions/:id/steps', async (c) => {
		const transaction = requested(c.req.param('id'));
		const { step, amount } = await ui.readForm(c, stepForm);
		const { event } = simulateStep(services, step, transaction.id, amount);
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
	const steps = ORDER.filter((step) => leftFor(step, amounts) > 0);
	const table = ui.table(ui.deliveryTable(services, events.at(-1)), deliveries);
	return html`${ui.panel('facts', html`Transaction ${ui.badge(status)}`, entries)}
	${steps.length > 0 && ui.panel('next', 'Next step', stepFormOf(transaction, steps))}
	${ui.panel('events', 'Events', html`${events.map((event) => eventDetails(services, event))}`)}
	${ui.panel('deliveries', 'Deliveries', table)}`;
}

const leftFor = (step: Step, { held, refundable }: ReturnType<typeof stepAmounts>): number =>
	step === 'refund' ? refundable : held;

const NAMES: Record<Step, string> = {
	increment: 'Increase hold',
	clearing: 'Settle (clear)',
	release: 'Release hold',
	reversal: 'Reverse',
	refund: 'Refund',
};

/** One amount, and a button for each step. An increment needs the amount, and a release is always about all that is held. */
const stepFormOf = ({ id, currency }: Transaction, steps: Step[]): ui.Html =>
	html`<form ${ui.post(`${PATH}/${id}/steps`)}>
		<div class="fields">
			${ui.field(
				`Amount in ${currency} (optional)`,
				html`name="amount" inputmode="decimal" placeholder="all that is left"`,
			)}
		</div>
		${ui.formError()}
		${ui.actions(
			steps.map(
				(step, index) =>
					html`<button class="btn ${index === 0 && 'btn-primary'}" name="step" value="${step}">
						${NAMES[step]}
					</button>`,
			),
		)}
	</form>`;

/** A step of a transaction, and its event as it is served and delivered. */
const eventDetails = (services: Services, event: FinancialEvent): ui.Html =>
	html`<details class="py-2" id="event-${event.id}">
		<summary class="mb-2">
			${ui.summary(services, event)}
			<small>${ui.timeAgo(causeOf(services.db, event.id)?.at ?? '', services.now())}</small>
		</summary>
		${ui.preformatted('Event', JSON.stringify(event, null, 2))}
	</details>`;
