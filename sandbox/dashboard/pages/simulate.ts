import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, allAccountIds, listAccounts } from '../../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import { type Card, categorySchema, findCard, listCards } from '../../cards/card.ts';
import { type FinancialEvent, findEvent, kindOf } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { formatAmount, positiveAmountSchema } from '../../money.ts';
import type { Services } from '../../services.ts';
import { authorize } from '../../simulate/authorize.ts';
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
import { listDeliveries } from '../../webhooks/deliveryLog.ts';
import { endpointsOf } from '../../webhooks/endpoint.ts';
import { readForm } from '../form.ts';
import { cardName, money, words } from '../format.ts';
import { changed, fragment, type Html, page } from '../layout.ts';
import {
	badge,
	checked,
	confirmDialog,
	copyable,
	dialogButton,
	elsewhere,
	empty,
	facts,
	formError,
	live,
	post,
	selected,
	time,
} from '../parts.ts';
import { deliveryRow } from './delivery.ts';
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

const authorizationForm = authorizationBody
	.pick({ cardId: true, amount: true, currency: true, merchantName: true, category: true })
	.extend({
		scenario: scenarioSchema,
		/** The scenario and the card for which the fields were filled. */
		preset: scenarioSchema,
		presetCardId: z.string().optional(),
		reason: z.enum(DECLINE_REASONS).default(DECLINE_REASONS[0]),
	});

const stepForm = z.object({ amount: positiveAmountSchema.optional() });

/** What each step does, for the person who takes it. */
const STEP_TEXTS: Record<Step, { label: string; consequence: string }> = {
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
		const cards = listCards(db, allAccountIds(services.db), {}, ALL, 1).data;
		return page(
			c,
			HEADING,
			html`<div class="columns">
					<section class="panel" aria-labelledby="authorization-heading">
						<div class="panel-head"><h2 id="authorization-heading">Pay with a card</h2></div>
						${paymentForm(listAccounts(db), cards)}
					</section>
					<section class="panel" aria-labelledby="result-heading" aria-live="polite">
						<div class="panel-head"><h2 id="result-heading">Result</h2></div>
						<div id="result">
							${empty('Authorize a payment to see its event and its deliveries.')}
						</div>
					</section>
				</div>
				<section class="panel" aria-labelledby="open-heading">
					<div class="panel-head">
						<h2 id="open-heading">Continue a transaction</h2>
						<p class="muted">
							Clear, release or reverse pending transactions; refund settled ones.
						</p>
					</div>
					${openTransactions(services)}
				</section>`,
		);
	});

	routes.get('/fields', (c) => {
		const { cardId = '', scenario, preset, ...typed } = c.req.query();
		const card = findCard(db, cardId);
		const chosen = scenarioSchema.parse(scenario);
		// Another card changes only the category; what was typed stays.
		return fragment(c, HEADING, paymentFields(chosen, card, scenario === preset ? typed : {}));
	});

	routes.post('/authorization', async (c) => {
		const { cardId, reason, ...form } = await readForm(c, authorizationForm);
		const { declines, merchant } = form.scenario;
		const card = findCard(db, cardId);
		// Sent before the fields showed the choice: what fits it counts, not what they still show.
		const preset = presetOf(form.scenario, card);
		const fitting = form.presetCardId === cardId ? form : { ...form, category: preset.category };
		const fields = form.preset.name === form.scenario.name ? fitting : preset;
		const { event } = authorize(services, {
			cardId,
			amount: fields.amount,
			currency: fields.currency,
			merchant: {
				...merchant,
				merchantName: fields.merchantName,
				category: fields.category,
				mcc: fields.category === merchant.category ? merchant.mcc : undefined,
			},
			decline: declines ? { ...SIMULATED_ISSUE_DEFAULTS, reason } : undefined,
		});
		return changed(c, HEADING, eventResult(services, event));
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

const paymentForm = (accounts: Account[], cards: Card[]): Html =>
	html`<form
		id="authorization-form"
		${post(`${PATH}/authorization`)}
		hx-target="#result"
		hx-swap="innerHTML"
	>
		<label>
			Card
			<select name="cardId" required ${presetsFields()}>
				${accounts.map((account) =>
					cardGroup(
						account,
						cards.filter(({ accountId }) => accountId === account.id),
					),
				)}
			</select>
		</label>
		<fieldset class="segments" ${presetsFields()}>
			<legend>Scenario</legend>
			<div>
				${SCENARIOS.map(
					({ name, label }, index) =>
						html`<label>
							<input type="radio" name="scenario" value="${name}" ${checked(index === 0)} />
							<span>${label}</span>
						</label>`,
				)}
			</div>
		</fieldset>
		${paymentFields(SCENARIOS[0], firstOffered(accounts, cards))} ${formError()}
		<button>Authorize</button>
	</form>`;

/** Attributes of a choice that fills the fields below with what fits it. */
const presetsFields = (): Html =>
	html`hx-get="${PATH}/fields" hx-trigger="change" hx-include="closest form"
	hx-target="#payment-fields" hx-swap="outerHTML"`;

const STATUS_ORDER = ['active', 'frozen', 'archived'];

const inOrder = (cards: Card[]): Card[] =>
	cards.toSorted(
		(one, other) =>
			STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status) ||
			one.name.localeCompare(other.name),
	);

/** The card that is chosen when the page opens. */
const firstOffered = (accounts: Account[], cards: Card[]): Card | undefined =>
	accounts.flatMap(({ id }) => inOrder(cards.filter(({ accountId }) => accountId === id)))[0];

const cardGroup = ({ name, id }: Account, cards: Card[]): Html =>
	cards.length === 0
		? html``
		: html`<optgroup label="${name} (${id})">
				${inOrder(cards).map(
					(card) => html`<option value="${card.id}">${cardName(card)}${notActive(card)}</option>`,
				)}
			</optgroup>`;

const notActive = ({ status }: Card): string => (status === 'active' ? '' : ` (${status})`);

/** What a scenario pays, in a category that the card allows. */
function presetOf({ amount, currency, merchant }: Scenario, card: Card | undefined) {
	const allowed: string[] = card?.categories ?? [];
	const category = allowed.includes(merchant.category) ? merchant.category : allowed[0];
	return {
		amount: Math.round(Number(amount) * 100),
		currency,
		merchantName: merchant.merchantName,
		category: category ?? merchant.category,
	};
}

function paymentFields(
	scenario: Scenario,
	card: Card | undefined,
	typed: { amount?: string; currency?: string; merchantName?: string } = {},
): Html {
	const preset = presetOf(scenario, card);
	const { category } = preset;
	const { amount = formatAmount(preset.amount) } = typed;
	const { currency = preset.currency, merchantName = preset.merchantName } = typed;
	return html`<div id="payment-fields" class="stack">
		<input type="hidden" name="preset" value="${scenario.name}" />
		<input type="hidden" name="presetCardId" value="${card?.id ?? ''}" />
		<div class="pair">
			<label>
				Amount
				<input
					id="amount"
					name="amount"
					required
					inputmode="decimal"
					autocomplete="off"
					pattern="\\d{1,12}(\\.\\d{1,2})?"
					title="A decimal amount such as 12.50"
					value="${amount}"
				/>
			</label>
			<label>
				Currency
				<input
					id="currency"
					name="currency"
					required
					pattern="[A-Z]{3}"
					maxlength="3"
					autocomplete="off"
					title="An ISO 4217 code such as USD"
					value="${currency}"
				/>
			</label>
		</div>
		<label>
			Merchant
			<input
				id="merchant"
				name="merchantName"
				maxlength="500"
				autocomplete="off"
				value="${merchantName}"
			/>
		</label>
		<label>
			Category
			<select id="category" name="category">
				${categorySchema.options.map(
					(each) =>
						html`<option value="${each}" ${selected(each === category)}>${words(each)}</option>`,
				)}
			</select>
		</label>
		${
			scenario.declines
				? html`<label>
						Decline reason
						<select id="reason" name="reason">
							${DECLINE_REASONS.map(
								(reason) => html`<option value="${reason}">${words(reason)}</option>`,
							)}
						</select>
					</label>`
				: ''
		}
	</div>`;
}

/** The event that a simulation caused, and from now on what becomes of its deliveries. */
const eventResult = (services: Services, event: FinancialEvent): Html =>
	html`<div data-reveal>
		<p class="headline">
			${badge(kindOf(event))}
			<strong>${money(event.amount, event.currency)}</strong>
			<span>${event.merchantName ?? 'Unnamed merchant'}</span>
		</p>
		${facts([
			['Event', copyable(event.id, 'event ID')],
			['Transaction', copyable(event.transactionId, 'transaction ID')],
			['Created', time(event.createdAt)],
			[
				'Issues',
				event.issues.map(({ origin, reason }) => `${words(reason)} (${origin})`).join(', '),
			],
		])}
		${eventDeliveries(services, event)}
	</div>`;

function eventDeliveries(services: Services, event: FinancialEvent): Html {
	const { db } = services;
	const newest = { ...ALL, pageSize: 100 };
	const deliveries = listDeliveries(db, { eventId: event.id }, newest, newest.pageSize).data;
	return live(
		'result-deliveries',
		`${PATH}/events/${event.id}/deliveries`,
		deliveries.length === 0
			? nobody(services, event)
			: html`<ul class="rows">
					${deliveries.map((delivery) => deliveryRow(services, delivery))}
				</ul>`,
	);
}

/** Why nobody received an event, and how to change that. */
function nobody({ db }: Services, { cardId }: FinancialEvent): Html {
	const accountId = findCard(db, cardId)?.accountId;
	const account = listAccounts(db).find(({ id }) => id === accountId);
	if (!account) return html``;
	if (!account.features.webhooks) {
		return html`<div class="note">
			<p>
				<strong>Nobody received this event:</strong> webhooks are not enabled for account
				${account.name}.
			</p>
		</div>`;
	}
	if (endpointsOf(db, account.id).length > 0) {
		return html`<div class="note">
			<p>
				<strong>Nobody received this event:</strong> account ${account.name} had no endpoint. Now it
				has one: authorize again to send it an event.
			</p>
		</div>`;
	}
	return html`<div class="note">
		<p><strong>Nobody received this event:</strong> no endpoint for account ${account.name}.</p>
		${addEndpointForm([account])}
	</div>`;
}

function openTransactions(services: Services): Html {
	const newest = { sort: 'desc', page: 1, pageSize: 100 } as const;
	const transactions = listTransactions(services.db, allAccountIds(services.db), {}, newest, 1)
		.data.filter((transaction) => stepsOf(transaction).length > 0)
		.slice(0, OFFERED);
	return live(
		'open-transactions',
		`${PATH}/transactions`,
		transactions.length === 0
			? empty('No transaction is pending or refundable.')
			: html`<ul class="rows">
					${transactions.map((transaction) => openTransaction(services, transaction))}
				</ul>`,
	);
}

function stepsOf(transaction: Transaction): Step[] {
	const { held, refundable } = stepAmounts(transaction);
	return STEPS.filter((step) => (step === 'refund' ? refundable : held) > 0);
}

/** "$42.50 at PAPERWORKS SUPPLY CO". */
const purchase = ({ amount, currency, merchantName }: Transaction): string =>
	`${money(amount, currency)} at ${merchantName ?? 'Unnamed merchant'}`;

function openTransaction({ db }: Services, transaction: Transaction): Html {
	const { id, merchantName, cardId, status, amount, currency } = transaction;
	const card = findCard(db, cardId);
	return html`<li class="row" id="open-${id}">
		<span class="main">
			${merchantName ?? 'Unnamed merchant'}
			<small>${card && cardName(card)}</small>
		</span>
		${badge(status)}
		<span class="number">${money(amount, currency)}</span>
		<span class="actions">${stepButtons(transaction)}</span>
	</li>`;
}

/** Buttons for the steps that a transaction allows; `#result` on the page shows what came of one. */
export const stepButtons = (transaction: Transaction): Html =>
	html`${stepsOf(transaction).map((step) =>
		dialogButton(
			`${PATH}/transactions/${transaction.id}/${step}`,
			STEP_TEXTS[step].label,
			purchase(transaction),
		),
	)}`;

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
			value="${formatAmount(step === 'refund' ? refundable : held)}"
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
