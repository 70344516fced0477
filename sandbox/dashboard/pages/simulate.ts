import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds, findAccount, listAccounts } from '../../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import { type Card, categorySchema, findCard, listCards } from '../../cards/card.ts';
import { type FinancialEvent, findEvent } from '../../events/financialEvent.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { authorize } from '../../simulate/authorize.ts';
import { authorizationBody } from '../../simulate/routes.ts';
import { DECLINE_REASONS, type Scenario, SCENARIOS } from '../../simulate/scenarios.ts';
import { endpointsOf } from '../../webhooks/endpoint.ts';
import {
	deliveriesOf,
	deliveryTable,
	eventTable,
	issuesOf,
	summary,
	transactionLink,
} from '../entities.ts';
import { readForm } from '../form.ts';
import { cardName } from '../format.ts';
import { currentIf, type Html, intoMain, withQuery } from '../layout.ts';
import { table } from '../list.ts';
import { choice, field, muted, panel, post, submit, valueOptions } from '../parts.ts';
import { addEndpointForm } from './webhooks.ts';

const PATH = '/dashboard/simulate';

/** Payments that one click makes at most. */
const MOST_AT_ONCE = 20;

/** More than any seed has. */
const ALL = { sort: 'asc', page: 1, pageSize: 1_000 } as const;

const scenarioSchema = z
	.string()
	.optional()
	.transform((name) => SCENARIOS.find((scenario) => scenario.name === name) ?? SCENARIOS[0]);

/** What the address of the page fills in. */
const addressParameters = z.object({
	scenario: scenarioSchema,
	cardId: z.string().optional(),
	/** The IDs of the events that are shown, the newest first. */
	events: z
		.string()
		.default('')
		.transform((ids) => ids.split(',')),
});

const authorizationForm = authorizationBody.omit({ decline: true }).extend({
	scenario: scenarioSchema,
	reason: z.enum(DECLINE_REASONS).optional(),
	times: z.coerce.number().int().min(1).max(MOST_AT_ONCE).default(1),
});

/** The Simulate page: authorizations, and the event of each with its deliveries. */
export function simulatePage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const { scenario, cardId, events: ids } = addressParameters.parse(c.req.query());
		const inactive = ({ status }: Card) => Number(status !== 'active');
		const cards = listCards(db, allAccountIds(db), {}, ALL).data.toSorted(
			(one, other) => inactive(one) - inactive(other),
		);
		const form = paymentForm(services, cards, scenario, cardId);
		const events = ids.flatMap((id) => findEvent(db, id) ?? []);
		const [event] = events;
		const result =
			events.length > 1
				? severalResults(services, events)
				: event
					? eventResult(services, event)
					: muted('Authorize a payment to see its event and its deliveries.');
		return c.render(
			html`<div class="columns">
				${panel('payment', 'Pay with a card', html`${scenarioLinks(scenario)} ${form}`)}
				${panel('result', 'Result', html`<div id="result" aria-live="polite">${result}</div>`)}
			</div>`,
			'Simulate',
		);
	});

	routes.post('/authorization', async (c) => {
		const { cardId, amount, currency, reason, times, scenario, ...merchant } = await readForm(
			c,
			authorizationForm,
		);
		const decline = reason && { ...SIMULATED_ISSUE_DEFAULTS, reason };
		const pay = () => authorize(services, { cardId, amount, currency, merchant, decline }).event;
		const events = Array.from({ length: times }, () => pay().id).toReversed();
		const shown = { scenario: scenario.name, cardId, events: events.join(',') };
		return c.redirect(withQuery(PATH, shown), 303);
	});

	return routes;
}

/** Links that fill the form with a scenario; the card stays. */
const scenarioLinks = (chosen: Scenario): Html =>
	html`<nav aria-label="Scenario" class="nav nav-pills mb-3">
		${SCENARIOS.map(({ name, label }) => {
			const url = withQuery(PATH, { scenario: name });
			return html`<a
				${currentIf(name === chosen.name)}
				id="scenario-${name}"
				href="${url}"
				hx-get="${url}"
				hx-include="#card"
				hx-push-url="true"
				${intoMain()}
				>${label}</a
			>`;
		})}
	</nav>`;

const paymentForm = (
	{ db }: Services,
	cards: Card[],
	{ name, amount, currency, merchant, reason }: Scenario,
	cardId: string | undefined,
): Html =>
	html`<form
		id="pay-${name}"
		${post(`${PATH}/authorization`, intoMain('show:top showTarget:#result'))}
	>
		<input type="hidden" name="scenario" value="${name}" />
		${choice(
			'Card',
			html`id="card" name="cardId" required`,
			cards.map((card) => [
				card.id,
				[cardName(card), findAccount(db, card.accountId)?.name, ...notActive(card)].join(' · '),
			]),
			[cardId],
		)}
		<div class="fields">
			${field('Amount', html`name="amount" required value="${amount}"`)}
			${field('Currency', html`name="currency" required value="${currency}"`)}
			${field('Merchant', html`name="merchantName" value="${merchant.merchantName}"`)}
			${field(
				'Country',
				html`name="merchantCountry" pattern="[A-Z]{2}" title="Such as US; may be empty"
				value="${merchant.merchantCountry}"`,
			)}
			${field('MCC', html`name="mcc" value="${merchant.mcc}"`)}
			${choice('Category', html`name="category"`, [
				['', 'Not reported'],
				...valueOptions(categorySchema.options),
			])}
			${choice(
				'Decline reason',
				html`name="reason"`,
				[['', 'None'], ...valueOptions(DECLINE_REASONS)],
				[reason],
			)}
			${field('Times', html`type="number" name="times" value="1"`)}
		</div>
		${submit('Authorize')}
	</form>`;

const notActive = ({ status }: Card): string[] => (status === 'active' ? [] : [status]);

/** The last event that a simulation caused, and what becomes of its deliveries. */
function eventResult(services: Services, event: FinancialEvent): Html {
	const deliveries = deliveriesOf(services, event);
	return html`<p class="mb-2"><strong>${summary(services, event)}</strong></p>
		${event.isSuccess ? '' : muted(issuesOf(event))}
		<p>${transactionLink(event.transactionId, 'Show the transaction')}</p>
		<div id="result-deliveries">
			${
				deliveries.length === 0
					? nobody(services, event)
					: table(deliveryTable(services), deliveries)
			}
		</div>`;
}

/** "3 declined, 1 approved · 2 delivered, 2 pending", and each event with its deliveries. */
function severalResults(services: Services, events: FinancialEvent[]): Html {
	const deliveries = events.flatMap((event) => deliveriesOf(services, event));
	const outcomes = tally(events.map(({ isSuccess }) => (isSuccess ? 'approved' : 'declined')));
	const received = tally(deliveries.map(({ status }) => status));
	const [newest] = events;
	return html`<p>
			<strong>${[outcomes, received].filter(Boolean).join(' · ')}</strong>
		</p>
		${deliveries.length === 0 && newest ? nobody(services, newest) : ''}
		${table(eventTable(services), events)}`;
}

/** "3 declined, 1 approved". */
const tally = (words: string[]): string =>
	[...new Set(words)]
		.map((word) => `${words.filter((each) => each === word).length} ${word}`)
		.join(', ');

/** Why nobody received an event, and how to change that. */
function nobody({ db }: Services, { cardId }: FinancialEvent): Html {
	const accountId = findCard(db, cardId)?.accountId;
	const account = listAccounts(db).find(({ id }) => id === accountId);
	if (!account) return html``;
	const because = (reason: string) =>
		html`<p><strong>Nobody received this event:</strong> ${reason}</p>`;
	const { id, name, features } = account;
	if (!features.webhooks) return because(`webhooks are not enabled for account ${name}.`);
	return endpointsOf(db, id).length > 0
		? because(
				`account ${name} had no endpoint. Now it has one: authorize again to send it an event.`,
			)
		: html`${because(`no endpoint for account ${name}.`)} ${addEndpointForm([account])}`;
}
