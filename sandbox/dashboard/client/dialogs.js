import { copyButton } from './copy.js';
import { make } from './dom.js';

let dialogs = 0;

/**
 * Asks before something that cannot be undone; gives whether to do it.
 *
 * @param {{ title: string, text: string, action: string }} question
 * @returns {Promise<boolean>}
 */
export async function confirmed({ title, text, action }) {
	const answer = await open(
		title,
		make('p', {}, text),
		make('button', { value: '', autofocus: true }, 'Cancel'),
		make('button', { value: 'yes', class: 'danger' }, action),
	);
	return answer === 'yes';
}

/**
 * Asks for an amount; gives it as a decimal string, or undefined when nothing is to be done.
 *
 * @param {{ title: string, text: string, action: string, amount: string, currency: string }} question
 * @returns {Promise<string | undefined>}
 */
export async function askForAmount({ title, text, action, amount, currency }) {
	const input = make('input', {
		value: amount,
		required: true,
		autofocus: true,
		inputmode: 'decimal',
		autocomplete: 'off',
		pattern: '\\d{1,12}(\\.\\d{1,2})?',
		title: 'A decimal amount such as 12.50',
	});
	const field = make('label', { class: 'field' }, make('span', {}, `Amount in ${currency}`), input);
	const answer = await open(
		title,
		make('div', {}, make('p', {}, text), field),
		make('button', { value: '', formnovalidate: true, type: 'submit' }, 'Cancel'),
		make('button', { value: 'yes', class: 'primary' }, action),
	);
	return answer === 'yes' ? input.value : undefined;
}

/**
 * Shows a secret, this once; gives when it is put away, and nothing of it stays in the page.
 *
 * @param {{ title: string, text: string, label: string, secret: string }} shown
 * @returns {Promise<void>}
 */
export async function showSecret({ title, text, label, secret }) {
	const id = 'secret';
	const input = make('input', { id, readonly: true, value: secret, spellcheck: 'false' });
	const field = make(
		'div',
		{ class: 'field' },
		make('label', { for: id }, label),
		make('span', { class: 'copyable' }, input, copyButton(input)),
	);
	await open(
		title,
		make('div', {}, make('p', { class: 'warning' }, text), field),
		make('button', { value: '', class: 'primary', autofocus: true }, 'Done'),
	);
}

/**
 * Opens a dialog of its own; gives the value of the button that closed it, '' for Escape.
 *
 * @param {string} title
 * @param {HTMLElement} content
 * @param {...HTMLButtonElement} buttons
 * @returns {Promise<string>}
 */
function open(title, content, ...buttons) {
	const titleId = `dialog-${++dialogs}`;
	// Enter in a field presses the first submit button of a form: the last one here is the main one.
	const actions = make('div', { class: 'actions' }, ...buttons.reverse());
	const dialog = make(
		'dialog',
		{ 'aria-labelledby': titleId },
		make('form', { method: 'dialog' }, make('h2', { id: titleId }, title), content, actions),
	);
	document.body.append(dialog);
	dialog.showModal();
	return new Promise((resolve) => {
		dialog.addEventListener('close', () => {
			dialog.remove();
			resolve(dialog.returnValue);
		});
	});
}
