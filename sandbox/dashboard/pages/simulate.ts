import { html } from 'hono/html';
import { categorySchema } from '../../cards/card.ts';
import type { Html } from '../layout.ts';

/** The Simulate tab: authorizations on the left, their event on the right, what may follow below. */
export const simulatePage = (): Html => html`
	<div class="columns">
		<section class="panel" aria-labelledby="authorization-heading">
			<div class="panel-head"><h2 id="authorization-heading">Pay with a card</h2></div>
			<form id="authorization-form">
				<label class="field">
					<span>Card</span>
					<select name="cardId" required></select>
				</label>
				<fieldset class="segments">
					<legend>Scenario</legend>
					<div id="scenarios"></div>
				</fieldset>
				<div class="pair">
					<label class="field">
						<span>Amount</span>
						<input
							name="amount"
							required
							inputmode="decimal"
							autocomplete="off"
							pattern="\\d{1,12}(\\.\\d{1,2})?"
							title="A decimal amount such as 12.50"
						/>
					</label>
					<label class="field">
						<span>Currency</span>
						<input
							name="currency"
							required
							pattern="[A-Z]{3}"
							maxlength="3"
							autocomplete="off"
							title="An ISO 4217 code such as USD"
						/>
					</label>
				</div>
				<label class="field">
					<span>Merchant</span>
					<input name="merchantName" maxlength="500" autocomplete="off" />
				</label>
				<label class="field">
					<span>Category</span>
					<select name="category">
						${categorySchema.options.map((category) => html`<option>${category}</option>`)}
					</select>
				</label>
				<label class="field" id="decline-reason" hidden>
					<span>Decline reason</span>
					<select name="reason"></select>
				</label>
				<p class="error" role="alert" hidden></p>
				<button class="primary">Authorize</button>
			</form>
		</section>
		<section class="panel" aria-labelledby="result-heading" aria-live="polite">
			<div class="panel-head"><h2 id="result-heading">Result</h2></div>
			<div id="result">
				<p class="empty">Authorize a payment to see its event and its deliveries.</p>
			</div>
			<ul id="result-deliveries" class="rows"></ul>
		</section>
	</div>
	<section class="panel" aria-labelledby="open-heading">
		<div class="panel-head">
			<h2 id="open-heading">Continue a transaction</h2>
			<p class="muted">Clear, release or reverse pending transactions; refund settled ones.</p>
		</div>
		<ul id="open-transactions" class="rows"></ul>
		<p id="no-open-transactions" class="empty" hidden>No transaction is pending or refundable.</p>
	</section>
`;
