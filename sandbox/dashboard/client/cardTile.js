import { actionButton } from './actions.js';
import { badge } from './badge.js';
import { control } from './control.js';
import { confirmed } from './dialogs.js';
import { make } from './dom.js';
import { cardName, money, words } from './format.js';

/**
 * Shows a card: its face, what is left of its limit, and what can be done with it (§3).
 *
 * @param {import('./types.d.ts').Card} card
 * @param {() => Promise<void>} refresh
 */
export function cardTile(card, refresh) {
	const { name, lastFour, status, type, categories } = card;
	return make(
		'li',
		{ class: 'tile' },
		make(
			'div',
			{ class: `face ${status}` },
			make('span', { class: 'chip', 'aria-hidden': 'true' }),
			make('span', { class: 'kind' }, type),
			make('span', { class: 'digits' }, `•••• ${lastFour}`),
		),
		make(
			'div',
			{ class: 'tile-body' },
			make('p', { class: 'tile-head' }, make('strong', {}, name), badge(status)),
			make('p', { class: 'muted' }, categories.map(words).join(', ')),
			...usage(card),
			make('div', { class: 'actions' }, ...actions(card, refresh)),
		),
	);
}

/** @param {import('./types.d.ts').Card} card */
function usage({ balance, limit }) {
	if (balance === undefined || limit === undefined) return [make('p', {}, 'No limit')];
	const text = `${money(balance)} of ${money(limit.amount)} left`;
	return [
		make('p', {}, text, ' ', make('small', {}, limit.type)),
		make('progress', { value: Number(balance), max: Number(limit.amount), 'aria-label': text }),
	];
}

/**
 * @param {import('./types.d.ts').Card} card
 * @param {() => Promise<void>} refresh
 */
function actions(card, refresh) {
	const about = cardName(card);
	const act = async (/** @type {string} */ action) => {
		await control('POST', `/cards/${card.id}/${action}`);
		await refresh();
	};
	const archive = async () => {
		const sure = await confirmed({
			title: `Archive ${about}?`,
			text: 'An archived card can never become active again. Pending transactions are still settled.',
			action: 'Archive card',
		});
		if (sure) await act('archive');
	};
	if (card.status === 'archived') return [];
	return [
		card.status === 'frozen'
			? actionButton('Unfreeze', about, () => act('unfreeze'))
			: actionButton('Freeze', about, () => act('freeze')),
		actionButton('Archive', about, archive, 'quiet'),
	];
}
