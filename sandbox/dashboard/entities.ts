import { html } from 'hono/html';

import { findAccount } from '../accounts/account.ts';
import { findCard } from '../cards/card.ts';
import {
	causeOf,
	type EventStep,
	type FinancialEvent,
	findEvent,
	listTransactionEvents,
} from '../events/financialEvent.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { listDeliveries, type LoggedDelivery } from '../webhooks/deliveryLog.ts';
import { ignoredBecause, isTestUrl } from '../webhooks/explain.ts';
import { found } from './form.ts';
import { money, words } from './format.ts';
import type { Html } from './layout.ts';
import type { Column, Table } from './list.ts';
import { badge, breakable, timeAgo } from './parts.ts';

// Links to single entities, and tables of those that several pages list.

const SIMULATE = html`<a href="/dashboard/simulate">Simulate a purchase</a>`;

export function cardLink({ db }: Services, id: string): Html | undefined {
	const card = findCard(db, id);
	if (!card) return undefined;
	const digits = html`<span class="text-nowrap">•• ${card.lastFour}</span>`;
	return html`<a href="/dashboard/cards/${id}">${card.name} ${digits}</a>`;
}

export const accountLink = ({ db }: Services, id: number): Html =>
	html`<a href="/dashboard/accounts#account-${id}">${findAccount(db, id)?.name} (${id})</a>`;

export const transactionLink = (id: string, label: string | Html): Html =>
	html`<a href="/dashboard/transactions/${id}">${label}</a>`;

const deliveryLink = (id: string, label: string | Html): Html =>
	html`<a href="/dashboard/webhooks/deliveries/${id}">${label}</a>`;

const STEPS: Record<EventStep, string> = {
	authorization: 'Approved',
	increment: 'Increased',
	clearing: 'Cleared',
	release: 'Released',
	reversal: 'Reversed',
	refund: 'Refunded',
};

/** "Declined", "Cleared". */
export const stepName = ({ db }: Services, { id, isSuccess }: FinancialEvent): string =>
	isSuccess ? STEPS[causeOf(db, id)?.step ?? 'authorization'] : 'Declined';

/** "Declined $980.00 ELEKTRONIK OUTLET", "Cleared $42.50 PAPERWORKS SUPPLY CO". */
export const summary = (services: Services, event: FinancialEvent): string =>
	`${stepName(services, event)} ${money(event.amount, event.currency)} ${merchantOf(event)}`;

/** "+$12.50" for a refund. */
export const signedAmount = ({ amount, currency, amountDirection }: Transaction): string =>
	`${amountDirection === 'credit' ? '+' : ''}${money(amount, currency)}`;

/** What a transaction was paid for, or what a refund was given for. */
export const merchantOf = ({ merchantName }: { merchantName?: string | undefined }): string =>
	merchantName ?? 'Unnamed merchant';

/** "suspected fraud (network)", for each reason to decline. */
export const reasonsOf = (events: FinancialEvent[]): string =>
	events
		.flatMap(({ issues }) => issues)
		.map(({ reason, origin }) => `${words(reason)} (${origin})`)
		.join(', ');

/** The URL of an endpoint; n8n's test URLs are marked. */
export const endpointLabel = ({ url }: { url: string }): Html =>
	html`<small class="url" title="${url}"
		>${isTestUrl(url) ? badge('test URL') : ''} ${breakable(url)}</small
	>`;

/** The state of a delivery: "delivered", "ignored: filtered", "retrying". */
export function deliveryBadge({ status, attempts }: LoggedDelivery): Html {
	const last = attempts.at(-1);
	if (status === 'pending' && last) return badge('retrying', 'warning');
	const ignored = status === 'delivered' && last ? ignoredBecause(last) : undefined;
	return ignored === undefined ? badge(status) : badge(`ignored: ${ignored}`, 'secondary');
}

/** The states of the deliveries of an event, each with a link. */
export function deliveryBadges(services: Services, event: FinancialEvent): Html {
	const deliveries = deliveriesOf(services, event);
	if (deliveries.length === 0) return html`<span class="text-body-secondary">No endpoint</span>`;
	return html`${deliveries.map((each) => html`${deliveryLink(each.id, deliveryBadge(each))} `)}`;
}

/** Why nobody received an event, and what to do. */
export function nobody({ db }: Services, { cardId }: FinancialEvent): Html {
	const account = findAccount(db, findCard(db, cardId)?.accountId ?? 0);
	const because = account?.features.webhooks
		? 'No webhook endpoint for account'
		: 'Webhooks are not enabled for account';
	return html`${because} ${account?.name}, so nothing was sent. A polling trigger finds this event
		at its next poll. <a href="/dashboard/webhooks">Add an endpoint</a>`;
}

/** "HTTP 503" or "ECONNREFUSED", which attempt it was, and when; the page of the delivery has the rest. */
function lastAttempt({ now }: Services, { attempts }: LoggedDelivery): string | Html {
	const last = attempts.at(-1);
	if (!last) return 'no attempt yet';
	const { at, httpStatus, error } = last;
	const outcome = httpStatus === null ? /\bE[A-Z_]{4,}\b/.exec(error ?? '') : `HTTP ${httpStatus}`;
	return html`${outcome ?? error}
		<small>attempt ${attempts.length} · ${timeAgo(at, now())}</small>`;
}

/** Events, each with its deliveries. */
export const eventTable = (services: Services): Table<FinancialEvent> => ({
	noun: 'event',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Event',
			cell: (event) =>
				html`${transactionLink(event.transactionId, summary(services, event))}
					<small
						>${cardLink(services, event.cardId)} ·
						${timeAgo(causeOf(services.db, event.id)?.at ?? '', services.now())}</small
					>`,
		},
		{ title: 'Deliveries', cell: (event) => deliveryBadges(services, event) },
	],
	empty: html`No events yet. ${SIMULATE}.`,
});

const reasonOf = ({ db }: Services, { id }: Transaction): string =>
	`· ${reasonsOf(listTransactionEvents(db, id))}`;

/** Transactions, with a column of the page's own. */
export const transactionTable = (
	services: Services,
	own: Column<Transaction>,
): Table<Transaction> => ({
	noun: 'transaction',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Merchant',
			cell: (transaction) =>
				html`${transactionLink(transaction.id, merchantOf(transaction))}
					<small>
						${timeAgo(transaction.createdAt, services.now())}
						${transaction.status === 'declined' && reasonOf(services, transaction)}
					</small>`,
		},
		{ title: 'Amount', cell: signedAmount, isNumber: true },
		own,
		{ title: 'Status', cell: ({ status }) => badge(status) },
	],
	empty: html`No transactions yet. ${SIMULATE}.`,
});

/** Deliveries of any events. Without any, it says why nobody received `event`, the newest one. */
export const deliveryTable = (
	services: Services,
	event: FinancialEvent | undefined,
): Table<LoggedDelivery> => ({
	noun: 'delivery',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Event',
			cell: ({ id, eventId }) =>
				deliveryLink(id, summary(services, found(findEvent(services.db, eventId), 'event'))),
		},
		{ title: 'Status', cell: deliveryBadge },
		{ title: 'Endpoint', cell: endpointLabel },
		{ title: 'Last attempt', cell: (delivery) => lastAttempt(services, delivery) },
	],
	empty: event
		? html`${transactionLink(event.transactionId, summary(services, event))}<br />
				${nobody(services, event)}`
		: eventTable(services).empty,
});

/** Gives the deliveries of an event: an account rarely has as many endpoints as are given at most. */
export const deliveriesOf = ({ db }: Services, { id }: FinancialEvent): LoggedDelivery[] =>
	listDeliveries(db, { eventId: id }, { sort: 'asc', page: 1, pageSize: 100 }).data;
