import { badge } from './badge.js';
import { byId, make } from './dom.js';
import { cardName, money, when } from './format.js';
import { showList } from './list.js';
import { watch } from './watch.js';

/** @typedef {import('./types.d.ts').ListedTransaction} ListedTransaction */

const PAGE_SIZE = 25;

let page = 1;
const status = byId('status', HTMLSelectElement);
const newer = byId('newer', HTMLButtonElement);
const older = byId('older', HTMLButtonElement);

const refresh = watch(
	() => {
		const query = new URLSearchParams({ page: String(page), pageSize: String(PAGE_SIZE) });
		if (status.value !== '') query.set('status', status.value);
		return `/transactions?${query}`;
	},
	/** @param {import('./types.d.ts').Page<ListedTransaction>} answer */
	({ data, totalPages, totalItemCount, totalItemCountCapped }) => {
		showList(
			byId('transactions', HTMLElement),
			data,
			transactionRow,
			byId('no-transactions', HTMLElement),
		);
		// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
		const last = totalItemCountCapped ? data.length < PAGE_SIZE : page >= totalPages;
		newer.setAttribute('aria-disabled', String(page === 1));
		older.setAttribute('aria-disabled', String(last));
		const more = totalItemCountCapped ? 'more than ' : '';
		byId('page-state', HTMLElement).textContent =
			`Page ${page} of ${more}${totalPages} · ${more}${totalItemCount} transactions`;
	},
);

status.addEventListener('change', () => {
	page = 1;
	void refresh();
});
for (const [button, step] of /** @type {const} */ ([
	[newer, -1],
	[older, 1],
])) {
	button.addEventListener('click', () => {
		if (button.getAttribute('aria-disabled') === 'true') return;
		page += step;
		void refresh();
	});
}

/** @param {ListedTransaction} transaction */
function transactionRow({ amount, amountDirection, currency, status, createdAt, card, ...rest }) {
	const sign = amountDirection === 'credit' ? '+' : '';
	return make(
		'tr',
		{},
		make(
			'td',
			{},
			rest.merchantName ?? 'Unnamed merchant',
			make('small', {}, make('time', { datetime: createdAt }, when(createdAt))),
		),
		make('td', {}, cardName(card)),
		make('td', {}, badge(status)),
		make('td', { class: 'number' }, sign + money(amount, currency)),
	);
}
