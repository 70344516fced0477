import { actionButton } from './actions.js';
import { startAuthorizationForm } from './authorization.js';
import { control } from './control.js';
import { askForAmount, confirmed } from './dialogs.js';
import { byId, make } from './dom.js';
import { cardName, money } from './format.js';
import { showList } from './list.js';
import { showResult } from './result.js';
import { STEPS } from './steps.js';
import { badge } from './badge.js';
import { watch } from './watch.js';

/** @typedef {import('./types.d.ts').ListedTransaction} ListedTransaction */

/** Transactions that are offered, the latest. */
const OFFERED = 10;

startAuthorizationForm((simulated) => {
	showResult(simulated);
	void refreshTransactions();
});

const refreshTransactions = watch(
	() => '/transactions',
	/** @param {import('./types.d.ts').Page<ListedTransaction>} answer */
	({ data }) =>
		showList(
			byId('open-transactions', HTMLElement),
			data.filter((each) => stepsOf(each).length > 0).slice(0, OFFERED),
			transactionItem,
			byId('no-open-transactions', HTMLElement),
		),
);

/** @param {ListedTransaction} transaction */
function stepsOf(transaction) {
	return STEPS.filter(({ of }) => Number(transaction[of]) > 0);
}

/** @param {ListedTransaction} transaction */
function transactionItem(transaction) {
	const { amount, currency, status, card, merchantName = 'Unnamed merchant' } = transaction;
	const about = `${money(amount, currency)} at ${merchantName}`;
	const buttons = stepsOf(transaction).map((step) =>
		actionButton(step.label, about, () => take(step, transaction, `${step.label} ${about}?`)),
	);
	return make(
		'li',
		{ class: 'row transaction' },
		make('span', { class: 'main' }, merchantName, make('small', {}, cardName(card))),
		badge(status),
		make('span', { class: 'number' }, money(amount, currency)),
		make('span', { class: 'actions' }, ...buttons),
	);
}

/**
 * @param {(typeof STEPS)[number]} step
 * @param {ListedTransaction} transaction
 * @param {string} title
 */
async function take({ path, label, text, of, partial }, transaction, title) {
	const { id, currency } = transaction;
	const question = { title, text, action: label };
	let amount;
	if (partial) {
		amount = await askForAmount({ ...question, amount: transaction[of], currency });
		if (amount === undefined) return;
	} else if (!(await confirmed(question))) return;
	showResult(await control('POST', `/simulate/${path}`, { transactionId: id, amount }));
	await refreshTransactions();
}
