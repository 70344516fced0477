import { offerAccounts } from './accounts.js';
import { onSubmit } from './actions.js';
import { control } from './control.js';
import { copyOnClick } from './copy.js';
import { showSecret } from './dialogs.js';
import { byId, selectOf } from './dom.js';
import { watch } from './watch.js';

const form = byId('key-form', HTMLFormElement);
const accountField = byId('key-account', HTMLElement);
const state = byId('key-state', HTMLElement);

const refresh = watch(
	() => '',
	/** @param {import('./types.d.ts').Overview} overview */
	({ accounts, counts }) => {
		offerAccounts(selectOf(form, 'accountId'), accounts);
		state.textContent = counts.activeApiKeys > 0 ? 'A key is active.' : 'No key is active.';
	},
);

form.addEventListener('change', () => {
	accountField.hidden = new FormData(form).get('scope') !== 'account';
});

onSubmit(form, refresh.shown, async (data) => {
	const body =
		data.get('scope') === 'account'
			? { scope: 'account', accountId: Number(data.get('accountId')) }
			: { scope: 'customer' };
	const { apiKey } = await control('POST', '/keys', body);
	await showSecret({
		title: 'Your new API key',
		text: 'Copy it now: it is shown only once. Earlier keys no longer work.',
		label: 'API key',
		secret: apiKey,
	});
	await refresh();
});

for (const button of document.querySelectorAll('button[data-copy]')) {
	if (!(button instanceof HTMLElement)) continue;
	copyOnClick(button, byId(button.dataset['copy'] ?? '', HTMLInputElement));
}
