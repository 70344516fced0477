import { html } from 'hono/html';
import { z } from 'zod/v4';

import { allAccountIds, findAccount } from '../../accounts/account.ts';
import { SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import { type Card, categorySchema, findCard, listCards } from '../../cards/card.ts';
import { type FinancialEvent, findEvent } from '../../events/financialEvent.ts';
import type { Services } from '../../services.ts';
import { authorize } from '../../simulate/authorize.ts';
import { authorizationBody } from '../../simulate/routes.ts';
import { DECLINE_REASONS, type Scenario, SCENARIOS } from '../../simulate/scenarios.ts';
import { adviceFor } from '../../webhooks/explain.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/simulate';

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
	events: z.string().default(''),
});

const authorizationForm = authorizationBody.omit({ decline: true }).extend({
	scenario: scenarioSchema,
	reason: z.enum(DECLINE_REASONS).optional(),
	times: z.coerce
		.number('expected a number')
		.int()
		.min(1, 'expected 1 or more')
		.max(MOST_AT_ONCE, `expected ${MOST_AT_ONCE} or less`)
		.default(1),
});

/** The Simulate page: authorizations, and the event of each with its deliveries. */
export function addSimulate(pages: ui.Pages, services: Services): void {
	const { db } = services;

	pages.get('/simulate', (c) => {
		const { scenario, cardId, events: shown } = addressParameters.parse(c.req.query());
		const inactive = ({ status }: Card) => Number(status !== 'active');
		const cards = listCards(db, allAccountIds(db), {}, ALL).data.toSorted(
			(one, other) => inactive(one) - inactive(other),
		);
		const form = html`${scenarioLinks(scenario)} ${paymentForm(services, cards, scenario, cardId)}`;
		const none = html`No cards yet. <a href="/dashboard/cards/new">Create one</a>.`;
		const events = shown.split(',').flatMap((id) => findEvent(db, id) ?? []);
		return c.render(
			html`<div class="columns">
				${ui.panel('payment', 'Pay with a card', cards.length > 0 ? form : ui.muted(none))}
				${ui.panel(
					'result',
					'Result',
					html`<div id="result" aria-live="polite">${resultOf(services, events)}</div>`,
				)}
			</div>`,
			'Simulate',
		);
	});

	pages.post('/simulate/authorization', async (c) => {
		const { cardId, amount, currency, reason, times, scenario, ...merchant } = await ui.readForm(
			c,
			authorizationForm,
		);
		const decline = reason && { ...SIMULATED_ISSUE_DEFAULTS, reason };
		const pay = () => authorize(services, { cardId, amount, currency, merchant, decline }).event;
		const events = Array.from({ length: times }, () => pay().id).toReversed();
		const shown = { scenario: scenario.name, cardId, events: events.join(',') };
		return c.redirect(ui.withQuery(PATH, shown), 303);
	});
}

/** Links that fill the form with a scenario; the card stays. */
const scenarioLinks = (chosen: Scenario): ui.Html =>
	html`<nav aria-label="Scenario" class="d-flex flex-wrap gap-2 mb-3">
		${SCENARIOS.map(({ name, label }) => {
			const url = ui.withQuery(PATH, { scenario: name });
			return html`<a
				${ui.currentIf(name === chosen.name, 'btn btn-sm')}
				id="scenario-${name}"
				href="${url}"
				hx-get="${url}"
				hx-include="#card"
				hx-push-url="true"
				${ui.intoMain()}
				>${label}</a
			>`;
		})}
	</nav>`;

const paymentForm = (
	{ db }: Services,
	cards: Card[],
	{ name, amount, currency, merchant, reason }: Scenario,
	cardId: string | undefined,
): ui.Html =>
	html`<form
		id="pay-${name}"
		${ui.post(`${PATH}/authorization`, ui.intoMain('show:top showTarget:#result'))}
	>
		<input type="hidden" name="scenario" value="${name}" />
		${ui.choice(
			'Card',
			html`id="card" name="cardId" required`,
			cards.map((card) => [
				card.id,
				[ui.cardName(card), ...notActive(card), findAccount(db, card.accountId)?.name].join(' · '),
			]),
			cardId,
		)}
		${ui.choice(
			'Outcome',
			html`name="reason"`,
			[
				['', 'Approve'],
				...DECLINE_REASONS.map((each) => [each, `Decline: ${ui.words(each)}`] as const),
			],
			reason,
		)}
		<div class="fields">
			${ui.field('Amount', html`inputmode="decimal" name="amount" required value="${amount}"`)}
			${ui.field('Currency', html`name="currency" required value="${currency}"`)}
			${ui.field('Repeat', html`name="times" inputmode="numeric" value="1"`)}
			${ui.field('Merchant', html`name="merchantName" value="${merchant.merchantName}"`)}
			${ui.field(
				'Country',
				html`name="merchantCountry" pattern="[A-Z]{2}" title="Such as US; may be empty"
				value="${merchant.merchantCountry}"`,
			)}
			${ui.field('MCC', html`name="mcc" inputmode="numeric" value="${merchant.mcc}"`)}
			${ui.choice('Category', html`name="category"`, [
				['', 'Not reported'],
				...ui.valueOptions(categorySchema.options),
			])}
		</div>
		${ui.submit('Authorize')}
	</form>`;

const notActive = ({ status }: Card): string[] => (status === 'active' ? [] : [status]);

/** What became of the events of a simulation, and what to do about failures. */
function resultOf(services: Services, events: FinancialEvent[]): ui.Html {
	const [newest] = events;
	if (!newest) return ui.muted('Authorize a payment to see its event and its deliveries.');
	const deliveries = events.flatMap((event) => ui.deliveriesOf(services, event));
	const advice = deliveries.flatMap(({ url, attempts }) =>
		attempts.slice(-1).flatMap((attempt) => {
			const advice = adviceFor(url, attempt);
			return advice === undefined ? [] : `${url}: ${advice}`;
		}),
	);
	const card = findCard(services.db, newest.cardId);
	const outcomes = tally(events.map(({ isSuccess }) => (isSuccess ? 'approved' : 'declined')));
	const sent = tally(deliveries.map(({ status }) => status));
	return html`<p><strong>${outcomes}${sent && `. Deliveries: ${sent}`}</strong></p>
		${!newest.isSuccess && ui.muted(ui.reasonsOf([newest]))}
		${deliveries.length === 0 && html`<p class="mb-2">${ui.nobody(services, newest)}</p>`}
		${[...new Set(advice)].map((each) => ui.alert(each))}
		<div id="result-events">${ui.table(ui.eventTable(services), events)}</div>
		${card && card.status !== 'active' && frozen(card)}`;
}

const frozen = ({ id, name, status }: Card): ui.Html =>
	html`<p class="mt-3 mb-0"><a href="/dashboard/cards/${id}">${name}</a> is now ${status}.</p>`;

/** "3 declined, 1 approved". */
const tally = (words: string[]): string =>
	[...new Set(words)]
		.map((word) => `${words.filter((each) => each === word).length} ${word}`)
		.join(', ');
