import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** The Webhooks tab (§6): endpoints with their secrets, and the log of deliveries. */
export const webhooksPage = (): Html => html`
	<section class="panel" aria-labelledby="endpoints-heading">
		<div class="panel-head">
			<h2 id="endpoints-heading">Endpoints</h2>
			<p class="muted">Topic <code>card.financial_event.v1</code></p>
		</div>
		<ul id="endpoints" class="rows"></ul>
		<p id="no-endpoints" class="empty" hidden>
			No endpoints yet. Add the URL that will receive the events of an account.
		</p>
		<form id="endpoint-form" class="inline">
			<label class="field grow">
				<span>Endpoint URL</span>
				<input
					name="url"
					type="url"
					required
					maxlength="2000"
					autocomplete="off"
					placeholder="https://example.com/webhook"
				/>
			</label>
			<label class="field">
				<span>Account</span>
				<select name="accountId"></select>
			</label>
			<button class="primary">Add endpoint</button>
			<p class="error" role="alert" hidden></p>
		</form>
	</section>
	<section class="panel" aria-labelledby="deliveries-heading">
		<div class="panel-head">
			<h2 id="deliveries-heading">Deliveries</h2>
			<p id="deliveries-state" class="muted"></p>
		</div>
		<ul id="deliveries" class="rows"></ul>
		<p id="no-deliveries" class="empty" hidden>
			No deliveries yet. <a href="/dashboard/simulate">Simulate a purchase</a> to trigger an event.
		</p>
	</section>
`;
