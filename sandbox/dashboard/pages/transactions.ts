import { html } from 'hono/html';
import { transactionStatusSchema } from '../../transactions/transaction.ts';
import type { Html } from '../layout.ts';

/** The list of transactions, a page at a time. */
export const transactionsPage = (): Html => html`
	<section class="panel" aria-labelledby="list-heading">
		<div class="panel-head">
			<h2 id="list-heading">All accounts</h2>
			<label class="field compact">
				<span>Status</span>
				<select id="status">
					<option value="">Any</option>
					${transactionStatusSchema.options.map(
						(status) => html`<option value="${status}">${status}</option>`,
					)}
				</select>
			</label>
		</div>
		<table>
			<thead>
				<tr>
					<th scope="col">Merchant</th>
					<th scope="col">Card</th>
					<th scope="col">Status</th>
					<th scope="col" class="number">Amount</th>
				</tr>
			</thead>
			<tbody id="transactions"></tbody>
		</table>
		<p id="no-transactions" class="empty" hidden>No matching transactions.</p>
		<nav class="pager" aria-label="Pages">
			<button type="button" id="newer">Newer</button>
			<p id="page-state" class="muted" role="status"></p>
			<button type="button" id="older">Older</button>
		</nav>
	</section>
`;
