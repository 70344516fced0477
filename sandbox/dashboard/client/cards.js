import { cardTile } from './cardTile.js';
import { byId, make } from './dom.js';
import { showList } from './list.js';
import { watch } from './watch.js';

/** @typedef {import('./types.d.ts').Card} Card */

const ORDER = ['active', 'frozen', 'archived'];

/** @type {import('./types.d.ts').Account[]} */
let accounts = [];

watch(
	() => '',
	/** @param {import('./types.d.ts').Overview} overview */
	(overview) => {
		({ accounts } = overview);
		showList(byId('accounts', HTMLElement), accounts, accountSection);
		void refresh();
	},
);

const refresh = watch(
	() => (accounts.length > 0 ? '/cards' : undefined),
	/** @param {import('./types.d.ts').Page<Card>} answer */
	({ data, totalItemCount }) => {
		const state = byId('cards-state', HTMLElement);
		state.hidden = totalItemCount === data.length;
		state.textContent = `The newest ${data.length} of ${totalItemCount} cards`;
		showCards(data);
	},
);

/** @param {Card[]} cards */
function showCards(cards) {
	byId('no-cards', HTMLElement).hidden = cards.length > 0;
	const rank = (/** @type {Card} */ { status }) => ORDER.indexOf(status);
	for (const { id } of accounts) {
		const own = cards.filter(({ accountId }) => accountId === id);
		showList(
			byId(`cards-${id}`, HTMLElement),
			own.toSorted((one, two) => rank(one) - rank(two)),
			(card) => cardTile(card, () => refresh()),
		);
	}
}

/** @param {import('./types.d.ts').Account} account */
function accountSection({ id, name }) {
	const headingId = `account-${id}`;
	return make(
		'section',
		{ 'aria-labelledby': headingId },
		make('h2', { id: headingId }, name, ' ', make('small', {}, `Account ${id}`)),
		make('ul', { class: 'tiles', id: `cards-${id}` }),
	);
}
