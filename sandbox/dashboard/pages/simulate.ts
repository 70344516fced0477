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
	stepOf,
} from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { formatAmount, positiveAmountSchema } from '../../money.ts';
import type { Services } from '../../services.ts';
import { authorize, platformIssues } from '../../simulate/authorize.ts';
import { type Step, STEPS } from '../../simulate/lifecycle.ts';
import { authorizationBody } from '../../simulate/routes.ts';
import { DECLINE_REASONS, type Scenario, SCENARIOS } from '../../simulate/scenarios.ts';
import { simulateStep } from '../../simulate/steps.ts';
import {
	findTransaction,
	listTransactions,
	stepAmounts,
	type Transaction,
} from '../../transactions/transaction.ts';
import { endpointsOf } from '../../webhooks/endpoint.ts';
import { deliveriesOf, deliveryTable, issuesOf, merchantOf, transactionLink } from '../entities.ts';
import { nonEmpty, readForm } from '../form.ts';
import { cardName, money, words } from '../format.ts';
import { changed, fragment, type Html, isPartial, page } from '../layout.ts';
import { table } from '../list.ts';
import {
	actions,
	badge,
	confirmDialog,
	copyable,
	dialogButton,
	elsewhere,
	empty,
	facts,
	formError,
	live,
	muted,
	options,
	panel,
	post,
	time,
	urlWith,
} from '../parts.ts';
import { transactionColumns } from './transactions.ts';
import { addEndpointForm } from './webhooks.ts';

const HEADING = {
	title: 'Simulate',
	lede: 'Simulate the card network: pay with a card and see how the platform responds.',
};

const PATH = '/dashboard/simulate';

/** Transactions that can be continued and are offered, the latest. */
const OFFERED = 10;

/** More than any seed has. */
const ALL = { sort: 'asc', page: 1, pageSize: 1_000 } as const;

const scenarioSchema = z
	.string()
	.optional()
	.transform((name) => SCENARIOS.find((scenario) => scenario.name === name) ?? SCENARIOS[0]);

/** What the address of the page fills in. */
const addressParameters = z.object({ scenario: scenarioSchema, cardId: z.string().optional() });

const authorizationForm = authorizationBody
	.pick({
		cardId: true,
		amount: true,
		currency: true,
		merchantName: true,
		merchantCountry: true,
		category: true,
	})
	.extend({
		scenario: scenarioSchema,
		reason: z.enum(DECLINE_REASONS).default(DECLINE_REASONS[0]),
	});

const stepForm = z.object({ amount: positiveAmountSchema.optional() });

/** What each step does, for the person who takes it. */
const STEP_TEXTS: Record<Step, { label: string; consequence: string }> = {
	increment: {
		label: 'Increase',
		consequence:
			'The merchant requests to hold this amount in addition. It can be declined like a payment.',
	},
	clearing: {
		label: 'Clear',
		consequence:
			'The merchant collects this part of the authorized amount. The rest stays pending.',
	},
	release: {
		label: 'Release',
		consequence:
			'The authorization expires: the amount that is still pending will not be collected.',
	},
	reversal: {
		label: 'Reverse',
		consequence: 'The merchant releases this part of the authorized amount.',
	},
	refund: {
		label: 'Refund',
		consequence: 'The merchant refunds this part of the collected amount to the card.',
	},
};

/** The Simulate page: authorizations, the event of each with its deliveries, and what may follow. */
export function simulatePage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Transaction => {
		const transaction = findTransaction(db, id, allAccountIds(services.db));
		if (!transaction) throw notFound('The transaction was not found');
		return transaction;
	};

	const requestedStep = (step: string): Step => {
		const found = STEPS.find((each) => each === step);
		if (!found) throw notFound();
		return found;
	};

	routes.get('/', (c) => {
		const { scenario, cardId } = addressParameters.parse(c.req.query());
		const cards = listCards(db, allAccountIds(db), {}, ALL, 1).data;
		const payment = panel(
			'payment',
			'Pay with a card',
			html`<div id="payment">
				${scenarioLinks(scenario)} ${paymentForm(listAccounts(db), cards, scenario, cardId)}
			</div>`,
		);
		if (isPartial(c)) return c.html(payment);
		const result = empty('Authorize a payment to see its event and its deliveries.');
		return page(
			c,
			HEADING,
			html`<div class="grid">
					${payment}
					${panel('result', 'Result', html`<div id="result" aria-live="polite">${result}</div>`)}
				</div>
				${panel(
					'open',
					'Continue a transaction',
					openTransactions(services),
					muted(
						'Increase pending transactions, clear or reverse all or a part of them, or release them; refund settled ones.',
					),
				)}`,
		);
	});

	routes.post('/authorization', async (c) => {
		const form = await readForm(c, authorizationForm);
		const { cardId, amount, currency, scenario, reason } = form;
		const { event } = authorize(services, {
			cardId,
			amount,
			currency,
			merchant: merchantFrom(form, findCard(db, cardId)),
			decline: scenario.reason && { ...SIMULATED_ISSUE_DEFAULTS, reason },
		});
		return changed(c, HEADING, eventResult(services, event));
	});

	routes.get('/forecast', (c) => {
		const form = authorizationForm.safeParse(nonEmpty(c.req.query()));
		return fragment(c, HEADING, forecast(services, form.data));
	});

	routes.get('/events/:id/deliveries', (c) => {
		const event = findEvent(db, c.req.param('id'));
		if (!event) throw notFound('The event was not found');
		return fragment(c, HEADING, eventDeliveries(services, event));
	});

	routes.get('/transactions', (c) => fragment(c, HEADING, openTransactions(services)));

	routes.get('/transactions/:id/:step', (c) => {
		const transaction = requested(c.req.param('id'));
		const step = requestedStep(c.req.param('step'));
		return fragment(c, HEADING, stepDialog(transaction, step));
	});

	routes.post('/transactions/:id/:step', async (c) => {
		const step = requestedStep(c.req.param('step'));
		const { amount } = await readForm(c, stepForm);
		const { event } = simulateStep(services, step, requested(c.req.param('id')).id, amount);
		return changed(
			c,
			HEADING,
			html`${elsewhere('#dialog', '')}${elsewhere('#result', eventResult(services, event))}`,
		);
	});

	return routes;
}

/** Links that fill the form with a scenario; the card stays. */
const scenarioLinks = (chosen: Scenario): Html =>
	html`<nav aria-label="Scenario" class="scenarios">
		${SCENARIOS.map(({ name, label }) => {
			const url = urlWith(PATH, { scenario: name });
			return html`<a
				id="scenario-${name}"
				href="${url}"
				${name === chosen.name ? html`aria-current="true"` : ''}
				hx-get="${url}"
				hx-include="#card"
				hx-target="closest article"
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
		<label>
			Card
			<select id="card" name="cardId" required>
				${accounts.map((account) =>
					cardGroup(
						account,
						cards.filter(({ accountId }) => accountId === account.id),
						cardId,
					),
				)}
			</select>
		</label>
		<div class="fields">
			<label>
				Amount
				<input
					name="amount"
					required
					inputmode="decimal"
					autocomplete="off"
					pattern="\\d{1,12}(\\.\\d{1,2})?"
					title="A decimal amount such as 12.50"
					value="${scenario.amount}"
				/>
			</label>
			<label>
				Currency
				<input
					name="currency"
					required
					pattern="[A-Z]{3}"
					maxlength="3"
					autocomplete="off"
					title="An ISO 4217 code such as USD"
					value="${scenario.currency}"
				/>
			</label>
		</div>
		<div class="fields">
			<label>
				Merchant
				<input
					name="merchantName"
					maxlength="500"
					autocomplete="off"
					value="${scenario.merchant.merchantName}"
				/>
			</label>
			<label>
				Country
				<input
					name="merchantCountry"
					pattern="[A-Z]{2}"
					maxlength="2"
					autocomplete="off"
					title="An ISO 3166 code such as US; may be empty"
					value="${scenario.merchant.merchantCountry ?? ''}"
				/>
			</label>
		</div>
		<label>
			Category
			<select name="category">
				<option value="">One that the card allows</option>
				${options(categorySchema.options.map((each) => [each, words(each)]))}
			</select>
		</label>
		${
			scenario.reason
				? html`<label>
						Decline reason
						<select name="reason">
							${options(
								DECLINE_REASONS.map((reason) => [reason, words(reason)]),
								scenario.reason,
							)}
						</select>
					</label>`
				: ''
		}
		<div
			aria-live="polite"
			hx-get="${PATH}/forecast"
			hx-include="closest form"
			hx-swap="innerHTML"
			hx-trigger="load, input from:#authorization-form delay:200ms, refresh from:document"
		></div>
		${formError()}
		<button>Authorize</button>
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

/** Says before a payment is made why the platform would decline it; of an incomplete form, nothing. */
function forecast(
	{ db, now }: Services,
	form: z.infer<typeof authorizationForm> | undefined,
): Html {
	const card = form && findCard(db, form.cardId);
	if (!card) return html``;
	const payment = { ...form, merchant: merchantFrom(form, card) };
	const reasons = platformIssues(db, card, payment, now()).map(({ reason }) => words(reason));
	return reasons.length === 0
		? html``
		: html`<p class="warning">The platform will decline this: ${reasons.join(', ')}.</p>`;
}

const STATUS_ORDER = ['active', 'frozen', 'archived'];

const inOrder = (cards: Card[]): Card[] =>
	cards.toSorted(
		(one, other) =>
			STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status) ||
			one.name.localeCompare(other.name),
	);

const cardGroup = ({ name, id }: Account, cards: Card[], chosen: string | undefined): Html =>
	cards.length === 0
		? html``
		: html`<optgroup label="${name} (${id})">
				${options(
					inOrder(cards).map((card) => [card.id, cardName(card) + notActive(card)]),
					chosen,
				)}
			</optgroup>`;

const notActive = ({ status }: Card): string => (status === 'active' ? '' : ` (${status})`);

/** The event that a simulation caused, and from now on what becomes of its deliveries. */
const eventResult = (services: Services, event: FinancialEvent): Html =>
	html`<div data-reveal>
		<p class="headline">
			${badge(kindOf(event))}
			<strong>${money(event.amount, event.currency)}</strong>
			${merchantOf(event)}
		</p>
		${facts([
			['Event', copyable(event.id, 'event ID')],
			[
				'Transaction',
				transactionLink(event.transactionId, html`<code>${event.transactionId}</code>`),
			],
			['Step', stepOf(services.db, event.id)],
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

function openTransactions(services: Services): Html {
	const newest = { sort: 'desc', page: 1, pageSize: 100 } as const;
	const transactions = listTransactions(services.db, allAccountIds(services.db), {}, newest, 1)
		.data.filter((transaction) => stepsOf(transaction).length > 0)
		.slice(0, OFFERED);
	const columns = [
		...transactionColumns(services),
		{
			title: 'Actions',
			cell: (transaction: Transaction) => actions(stepButtons(transaction)),
		},
	];
	const none = 'No transaction is pending or refundable.';
	return live(
		'open-transactions',
		`${PATH}/transactions`,
		table({ noun: 'open', id: ({ id }) => id, columns, empty: none }, transactions),
	);
}

function stepsOf(transaction: Transaction): Step[] {
	const { held, refundable } = stepAmounts(transaction);
	return STEPS.filter((step) => (step === 'refund' ? refundable : held) > 0);
}

/** "$42.50 at PAPERWORKS SUPPLY CO". */
const purchase = (transaction: Transaction): string =>
	`${money(transaction.amount, transaction.currency)} at ${merchantOf(transaction)}`;

/** Buttons for the steps that a transaction allows; `#result` on the page shows what came of one. */
export const stepButtons = (transaction: Transaction): Html[] =>
	stepsOf(transaction).map((step) =>
		dialogButton(
			`${PATH}/transactions/${transaction.id}/${step}`,
			STEP_TEXTS[step].label,
			purchase(transaction),
		),
	);

function stepDialog(transaction: Transaction, step: Step): Html {
	const { label, consequence } = STEP_TEXTS[step];
	const { held, refundable } = stepAmounts(transaction);
	const fields = html`<label>
		Amount in ${transaction.currency}
		<input
			name="amount"
			required
			autofocus
			inputmode="decimal"
			autocomplete="off"
			pattern="\\d{1,12}(\\.\\d{1,2})?"
			title="A decimal amount such as 12.50"
			value="${step === 'increment' ? '' : formatAmount(step === 'refund' ? refundable : held)}"
		/>
	</label>`;
	return confirmDialog({
		title: `${label} ${purchase(transaction)}?`,
		consequence,
		action: label,
		path: `${PATH}/transactions/${transaction.id}/${step}`,
		fields: step === 'release' ? html`` : fields,
	});
}
