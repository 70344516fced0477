import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, allAccountIds, listAccounts } from '../../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import { type Card, categorySchema, findCard, listCards } from '../../cards/card.ts';
import {
	type FinancialEvent,
	findEvent,
	kindOf,
	type Merchant,
} from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { authorize } from '../../simulate/authorize.ts';
import { authorizationBody } from '../../simulate/routes.ts';
import { DECLINE_REASONS, type Scenario, SCENARIOS } from '../../simulate/scenarios.ts';
import { endpointsOf } from '../../webhooks/endpoint.ts';
import { deliveriesOf, deliveryTable, issuesOf, merchantOf, transactionLink } from '../entities.ts';
import { readForm } from '../form.ts';
import { cardName, counted, money, words } from '../format.ts';
import { changed, currentIf, fragment, type Html, isPartial, page } from '../layout.ts';
import { table } from '../list.ts';
import {
	accountChoices,
	amountField,
	badge,
	choice,
	copyable,
	facts,
	field,
	formError,
	live,
	muted,
	options,
	panel,
	post,
	time,
	urlWith,
} from '../parts.ts';
import { addEndpointForm } from './webhooks.ts';

const HEADING = {
	title: 'Simulate',
	lede: 'Simulate the card network: pay with a card and see how the platform responds.',
};

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
const addressParameters = z.object({ scenario: scenarioSchema, cardId: z.string().optional() });

const { shape } = authorizationBody;

const authorizationForm = z.object({
	cardId: shape.cardId,
	amount: shape.amount,
	currency: shape.currency,
	merchantName: shape.merchantName,
	merchantCountry: shape.merchantCountry,
	category: shape.category,
	scenario: scenarioSchema,
	reason: z.enum(DECLINE_REASONS).optional(),
	times: z.coerce.number().int().min(1).max(MOST_AT_ONCE).default(1),
});

/** The Simulate page: authorizations, and the event of each with its deliveries. */
export function simulatePage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const { scenario, cardId } = addressParameters.parse(c.req.query());
		const inactive = ({ status }: Card) => Number(status !== 'active');
		const cards = listCards(db, allAccountIds(db), {}, ALL, 1).data.toSorted(
			(one, other) => inactive(one) - inactive(other),
		);
		const form = paymentForm(listAccounts(db), cards, scenario, cardId);
		const payment = html`<div id="payment">
			${panel('payment', 'Pay with a card', html`${scenarioLinks(scenario)} ${form}`)}
		</div>`;
		if (isPartial(c)) return c.html(payment);
		const result = muted('Authorize a payment to see its event and its deliveries.');
		return page(
			c,
			HEADING,
			html`<div class="columns">
				${payment}
				${panel('result', 'Result', html`<div id="result" aria-live="polite">${result}</div>`)}
			</div>`,
		);
	});

	routes.post('/authorization', async (c) => {
		const form = await readForm(c, authorizationForm);
		const { cardId, amount, currency, reason, times } = form;
		const merchant = merchantFrom(form, findCard(db, cardId));
		const decline = reason && { ...SIMULATED_ISSUE_DEFAULTS, reason };
		const pay = () => authorize(services, { cardId, amount, currency, merchant, decline }).event;
		const [event = pay()] = Array.from({ length: times }, pay).toReversed();
		return changed(c, HEADING, eventResult(services, event, times));
	});

	routes.get('/events/:id/deliveries', (c) => {
		const event = findEvent(db, c.req.param('id'));
		if (!event) throw notFound('The event was not found');
		return fragment(c, HEADING, eventDeliveries(services, event));
	});

	return routes;
}

/** Links that fill the form with a scenario; the card stays. */
const scenarioLinks = (chosen: Scenario): Html =>
	html`<nav aria-label="Scenario" class="nav nav-pills mb-3">
		${SCENARIOS.map(({ name, label }) => {
			const url = urlWith(PATH, { scenario: name });
			return html`<a
				${currentIf(name === chosen.name)}
				id="scenario-${name}"
				href="${url}"
				hx-get="${url}"
				hx-include="#card"
				hx-target="#payment"
				hx-push-url="true"
				>${label}</a
			>`;
		})}
	</nav>`;

const paymentForm = (
	accounts: Account[],
	cards: Card[],
	scenario: Scenario,
	cardId: string | undefined,
): Html =>
	html`<form
		id="authorization-form"
		${post(`${PATH}/authorization`)}
		hx-target="#result"
		hx-swap="innerHTML"
	>
		<input type="hidden" name="scenario" value="${scenario.name}" />
		${choice(
			'Card',
			html`id="card" name="cardId" required`,
			accountChoices(accounts).map(([id, account]) =>
				cardGroup(
					account,
					cards.filter((card) => String(card.accountId) === id),
					cardId,
				),
			),
		)}
		<div class="fields">
			${field('Amount', html`required ${amountField(scenario.amount)}`)}
			${field(
				'Currency',
				html`name="currency" required pattern="[A-Z]{3}" title="Such as USD"
				value="${scenario.currency}"`,
			)}
			${field('Merchant', html`name="merchantName" value="${scenario.merchant.merchantName}"`)}
			${field(
				'Country',
				html`name="merchantCountry" pattern="[A-Z]{2}" title="Such as US; may be empty"
				value="${scenario.merchant.merchantCountry ?? ''}"`,
			)}
			${choice(
				'Category',
				html`name="category"`,
				options([
					['', 'Automatic'],
					...categorySchema.options.map((each) => [each, words(each)] as const),
				]),
			)}
			${choice(
				'Decline reason',
				html`name="reason"`,
				options(
					[
						['', 'None: the network approves'],
						...DECLINE_REASONS.map((reason) => [reason, words(reason)] as const),
					],
					scenario.reason ?? '',
				),
			)}
			${field('Times', html`type="number" name="times" min="1" max="${MOST_AT_ONCE}" value="1"`)}
		</div>
		${formError()}
		<button class="btn btn-primary">Authorize</button>
	</form>`;

/** The merchant of a form: in another country than the scenario's, no city is known. */
function merchantFrom(form: z.infer<typeof authorizationForm>, card: Card | undefined): Merchant {
	const { scenario, merchantName, merchantCountry } = form;
	const { merchantCity, merchantState, ...merchant } = scenario.merchant;
	const isAtHome = merchantCountry === merchant.merchantCountry;
	const category = form.category ?? allowedCategory(merchant.category, card);
	return {
		...merchant,
		...(isAtHome ? { merchantCity, merchantState } : {}),
		merchantName,
		merchantCountry,
		category,
		mcc: category === merchant.category ? merchant.mcc : undefined,
	};
}

/** The category of a merchant, or another one if the card does not allow it. */
function allowedCategory(category: string, card: Card | undefined): string {
	const allowed: string[] = card?.categories ?? [];
	return allowed.includes(category) ? category : (allowed[0] ?? category);
}

const cardGroup = (account: string, cards: Card[], chosen: string | undefined): Html =>
	cards.length === 0
		? html``
		: html`<optgroup label="${account}">
				${options(
					cards.map((card) => [card.id, cardName(card) + notActive(card)]),
					chosen,
				)}
			</optgroup>`;

const notActive = ({ status }: Card): string => (status === 'active' ? '' : ` (${status})`);

/** The last event that a simulation caused, and from now on what becomes of its deliveries. */
const eventResult = (services: Services, event: FinancialEvent, times: number): Html =>
	html`<div data-reveal>
		<p class="d-flex flex-wrap gap-2 align-items-center">
			${badge(kindOf(event))}
			<strong>${money(event.amount, event.currency)}</strong>
			${merchantOf(event)}
		</p>
		${
			times === 1
				? ''
				: muted(
						html`${counted(times, 'payment')}, of which this is the last:
							<a href="/dashboard/transactions?cardId=${event.cardId}">all of the card</a>.`,
					)
		}
		${facts([
			['Event', copyable(event.id, 'event ID')],
			[
				'Transaction',
				transactionLink(event.transactionId, html`<code>${event.transactionId}</code>`),
			],
			['Merchant country', event.merchantCountry],
			['Created', time(event.createdAt)],
			['Issues', issuesOf(event)],
		])}
		${eventDeliveries(services, event)}
	</div>`;

function eventDeliveries(services: Services, event: FinancialEvent): Html {
	const deliveries = deliveriesOf(services, event);
	return live(
		'result-deliveries',
		`${PATH}/events/${event.id}/deliveries`,
		deliveries.length === 0 ? nobody(services, event) : table(deliveryTable(services), deliveries),
	);
}

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
