import { html } from 'hono/html';

import { allAccountIds } from '../../accounts/account.ts';
import { availableCredit, creditOf, dailySpend } from '../../balance/credit.ts';
import { listCards } from '../../cards/card.ts';
import { latestEvents } from '../../events/financialEvent.ts';
import type { Services } from '../../services.ts';
import { listTransactions } from '../../transactions/transaction.ts';
import * as ui from '../ui.ts';
import { isScheduled, paymentsWithin, paymentTable } from './payments.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Only the number of what a list would have. */
const COUNT = { sort: 'desc', page: 1, pageSize: 1 } as const;

/** The first page: what was spent, what happened last, and what comes next. */
export function addOverview(pages: ui.Pages, services: Services): void {
	const { db, now } = services;

	pages.get('/', (c) => {
		const spend = dailySpend(db, now());
		const total = ui.money(spend.reduce((sum, amount) => sum + amount));
		const events = ui.table(ui.eventTable(services), latestEvents(db, 6));
		const next = paymentsWithin(services, 0, 60).filter(isScheduled).slice(0, 5);
		// All of them are scheduled.
		const columns = paymentTable.columns.filter(({ title }) => title !== 'Status');
		const payments = ui.table({ ...paymentTable, columns }, next);
		return c.render(
			html`<div class="row">
				<div class="col-xl-7">
					${ui.panel(
						'spend',
						'Spent in 30 days',
						chart(spend, now()),
						html`<span class="fs-4 fw-semibold">${total}</span>`,
					)}
					${ui.panel('events', 'Latest events', events, ui.link('/dashboard/webhooks', 'All deliveries'))}
				</div>
				<div class="col-xl-5">
					${ui.panel('now', 'Now', figures(services, spend), ui.link('/dashboard/connect', 'Connect a client'))}
					${ui.panel('payments', 'Next payments', payments, ui.link('/dashboard/payments', 'All payments'))}
				</div>
			</div>`,
			'Overview',
		);
	});
}

const count = (page: string, number: number) => html`<a href="/dashboard/${page}">${number}</a>`;

function figures({ db, now, faults }: Services, [lastDay = 0]: number[]): ui.Html {
	const accounts = allAccountIds(db);
	const at = now();
	const month = { createdAfter: new Date(at.getTime() - 30 * DAY).toISOString() };
	const declines = listTransactions(db, accounts, { ...month, status: 'declined' }, COUNT);
	const frozen = listCards(db, accounts, { status: 'frozen' }, COUNT);
	return ui.facts([
		['Available credit', ui.money(availableCredit(creditOf(db, accounts, at)))],
		['Spent in 24 hours', ui.money(lastDay)],
		['Declines in 30 days', count('transactions?status=declined', declines.totalItemCount)],
		['Frozen cards', count('cards?status=frozen', frozen.totalItemCount)],
		['Active faults', count('controls#faults-heading', faults.active().length)],
	]);
}

const HEIGHT = 100;

/** A bar for each 24 hours, the last ones at the right, which says its time and amount on hover. */
function chart(spend: number[], now: Date): ui.Html {
	const highest = Math.max(1, ...spend);
	const endOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY).toISOString();
	const bars = spend.map((amount, daysAgo) => {
		const height = amount === 0 ? 1 : Math.max(3, (amount / highest) * HEIGHT);
		return html`<rect
			${amount === 0 ? html`fill="var(--line-strong)"` : ''}
			x="${(spend.length - 1 - daysAgo) * 10}"
			y="${HEIGHT - height}"
			width="7"
			height="${height}"
		>
			<title>${ui.money(amount)} in 24 hours until ${ui.shortTime(endOf(daysAgo))}</title>
		</rect>`;
	});
	return html`<svg
			class="d-block w-100"
			height="128"
			fill="var(--accent)"
			viewBox="0 0 297 ${HEIGHT}"
			preserveAspectRatio="none"
			role="img"
			aria-label="Spent in each 24 hours, at most ${ui.money(highest)}"
		>
			${bars}
		</svg>
		<small class="d-flex justify-content-between mt-1">
			<span>30 days ago</span><span>Now</span>
		</small>`;
}
