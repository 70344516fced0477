import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** The API tab (§5.2): makes the key. `apiUrl` is the Base URL. */
export const apiPage = (apiUrl: string): Html => html`
	<section class="panel" aria-labelledby="key-heading">
		<div class="panel-head">
			<h2 id="key-heading">API key</h2>
			<p id="key-state" class="muted" aria-live="polite"></p>
		</div>
		<form id="key-form">
			<fieldset class="choices">
				<legend>Key scope</legend>
				<div>
					<label class="choice">
						<input type="radio" name="scope" value="customer" checked />
						<span>
							<strong>Customer</strong>
							<small>Covers all accounts; can rename them and move funds between them.</small>
						</span>
					</label>
					<label class="choice">
						<input type="radio" name="scope" value="account" />
						<span>
							<strong>Account</strong>
							<small>Covers one account; the Account endpoints return 403.</small>
						</span>
					</label>
				</div>
			</fieldset>
			<label class="field" id="key-account" hidden>
				<span>Account</span>
				<select name="accountId"></select>
			</label>
			<p class="warning">
				Only one key is active at a time: a new key invalidates the previous one immediately. It is
				shown only once.
			</p>
			<p class="error" role="alert" hidden></p>
			<button class="primary">Generate key</button>
		</form>
	</section>
	<section class="panel" aria-labelledby="connect-heading">
		<div class="panel-head">
			<h2 id="connect-heading">Connect</h2>
			<p class="muted">What a client needs in addition to the key.</p>
		</div>
		<label class="field">
			<span>Base URL</span>
			<span class="copyable">
				<input id="base-url" readonly value="${apiUrl}" />
				<button type="button" data-copy="base-url">Copy</button>
			</span>
		</label>
		<label class="field">
			<span>Check the connection</span>
			<span class="copyable">
				<input
					id="health-check"
					readonly
					value='curl -H "Authorization: Bearer $API_KEY" ${apiUrl}/health'
				/>
				<button type="button" data-copy="health-check">Copy</button>
			</span>
		</label>
	</section>
`;
