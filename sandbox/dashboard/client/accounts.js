import { make, offer } from './dom.js';

/**
 * Offers the accounts in a select.
 *
 * @param {HTMLSelectElement} select
 * @param {import('./types.d.ts').Account[]} accounts
 */
export const offerAccounts = (select, accounts) =>
	offer(
		select,
		accounts.map(({ id, name }) => make('option', { value: id }, `${name} (${id})`)),
	);
