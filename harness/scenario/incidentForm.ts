import type { Browser } from 'playwright-core';

import { type FormUser, submitForm } from './form.ts';

/**
 * Fills in the form of "Freeze every card at once" and submits it, in a browser.
 *
 * @param url of the form
 * @param confirmation what the person types to confirm
 * @returns what the last page says
 * @throws if there is no last page, for example because n8n cannot be reached at its address
 */
export async function submitIncidentForm(
	browser: Browser,
	url: string,
	user: FormUser,
	confirmation: string,
): Promise<string> {
	const fields = { Reason: 'Card numbers leaked', 'Type FREEZE to confirm': confirmation };
	return submitForm(browser, url, user, [{ fields, button: 'Freeze all cards' }]);
}

/**
 * Pastes IDs into the form that unfreezes cards, and submits it, in a browser.
 *
 * @param url of the form
 * @param ids what the person pastes
 * @param confirmation what the person types to confirm
 * @returns what the last page says
 */
export async function submitUnfreezeForm(
	browser: Browser,
	url: string,
	user: FormUser,
	ids: string,
	confirmation = 'UNFREEZE',
): Promise<string> {
	const fields = { 'IDs of the cards': ids, 'Type UNFREEZE to confirm': confirmation };
	return submitForm(browser, url, user, [{ fields, button: 'Unfreeze these cards' }]);
}
