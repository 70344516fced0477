import { Hono } from 'hono';
import { html } from 'hono/html';

import { allAccountIds, findAccount } from '../../accounts/account.ts';
import {
	balanceDetails,
	creditOf,
	type DailySpend,
	spendByDay,
	spendOf,
} from '../../balance/credit.ts';
import { listCards } from '../../cards/card.ts';
import { type FinancialEvent, listTransactionEvents } from '../../events/financialEvent.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import { listTransactions } from '../../transactions/transaction.ts';
import { eventTable } from '../entities.ts';
import { dateOf, money } from '../format.ts';
import type { Html } from '../layout.ts';
import { type Table, table } from '../list.ts';
import { panel } from '../parts.ts';
import { isScheduled, paymentsWithin } from './payments.ts';

const MONTH = 30 * 24 * 60 * 60 * 1000;

/** Only the number of what a list would have. */
const COUNT = { sort: 'desc', page: 1, pageSize: 1 } as const;

/** The first page: what was spent, what happened last, and what comes next. */
export function overviewPage(services: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();
	const { db, now } = services;

	routes.get('/', (c) => {
		const days = spendByDay(db, now());
		const spend = money(days.reduce((sum, { amount }) => sum + amount, 0));
		return c.render(
			html`<div class="columns uneven">
				<div>
					${panel('spend', 'Spent in 30 days', chart(days), html`<span class="fs-4 fw-semibold">${spend}</span>`)}
					${panel('events', 'Latest events', table(eventTable(services), lastEvents(services)), logLink)}
				</div>
				<div>
					${panel('figures', 'Now', figures(services), connectLink)}
					${panel('payments', 'Next payments', table(paymentTable(services), paymentsWithin(services, 0, 60).filter(isScheduled).slice(0, 5)), paymentsLink)}
				</div>
			</div>`,
			'Overview',
		);
	});

	return routes;
}

const connectLink = html`<a href="/dashboard/connect">Connect a client</a>`;
const logLink = html`<a href="/dashboard/webhooks">All deliveries</a>`;
const paymentsLink = html`<a href="/dashboard/payments">All payments</a>`;

function figures({ db, now, faults }: Services): Html {
	const accounts = allAccountIds(db);
	const at = now();
	const balance = balanceDetails(creditOf(db, accounts, at), spendOf(db, accounts, at));
	const month = { createdAfter: new Date(at.getTime() - MONTH).toISOString() };
	const declines = listTransactions(db, accounts, { ...month, status: 'declined' }, COUNT);
	const frozen = listCards(db, accounts, { status: 'frozen' }, COUNT);
	const link = (path: string, count: number) => html`<a href="/dashboard/${path}">${count}</a>`;
	const entries: [string, string | Html][] = [
		['Available credit', money(balance.availableCreditLimit)],
		['Spent in 24 hours', money(balance.last24HoursSpend)],
		['Declines in 30 days', link('transactions?status=declined', declines.totalItemCount)],
		['Frozen cards', link('cards?status=frozen', frozen.totalItemCount)],
		['Active faults', link('controls#faults-heading', faults.active().length)],
	];
	return html`<dl class="m-0">
		${entries.map(
			([name, value]) =>
				html`<div class="d-flex justify-content-between py-2">
					<dt>${name}</dt>
					<dd class="m-0">${value}</dd>
				</div>`,
		)}
	</dl>`;
}

const HEIGHT = 100;

/** A bar for each day, which says its date and amount on hover. */
function chart(days: DailySpend[]): Html {
	const highest = Math.max(1, ...days.map(({ amount }) => amount));
	const bars = days.map(({ date, amount }, index) => {
		const height = amount === 0 ? 1 : Math.max(3, (amount / highest) * HEIGHT);
		return html`<rect
			${amount === 0 ? html`class="none"` : ''}
			x="${index * 10}"
			y="${HEIGHT - height}"
			width="7"
			height="${height}"
		>
			<title>${dateOf(date)}: ${money(amount)}</title>
		</rect>`;
	});
	return html`<svg
			class="chart"
			viewBox="0 0 297 ${HEIGHT}"
			preserveAspectRatio="none"
			role="img"
			aria-label="Spend of each day, at most ${money(highest)}"
		>
			${bars}
		</svg>
		<small class="d-flex justify-content-between mt-1">
			<span>${dateOf(days[0]?.date ?? '')}</span><span>Today</span>
		</small>`;
}

/** The events of the newest transactions. */
function lastEvents({ db }: Services): FinancialEvent[] {
	const newest = { sort: 'desc', page: 1, pageSize: 6 } as const;
	return listTransactions(db, allAccountIds(db), {}, newest)
		.data.flatMap(({ id }) => listTransactionEvents(db, id).toReversed())
		.slice(0, 6);
}

const paymentTable = ({ db }: Services): Table<Payment> => ({
	noun: 'payment',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Due',
			cell: ({ dueDate, accountId }) =>
				html`${dateOf(dueDate)} <small>${findAccount(db, accountId)?.name}</small>`,
		},
		{ title: 'Amount', cell: ({ amount }) => money(amount), isNumber: true },
	],
	empty: 'No payments in the next 60 days.',
});
