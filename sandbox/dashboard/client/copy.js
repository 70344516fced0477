import { make } from './dom.js';
import { tell } from './notices.js';

/**
 * Makes a button that copies what an input holds.
 *
 * @param {HTMLInputElement} input
 */
export function copyButton(input) {
	const button = make('button', { type: 'button' }, 'Copy');
	copyOnClick(button, input);
	return button;
}

/**
 * Makes a button copy what an input holds; where the browser does not allow it, the text is
 * selected for the user to copy.
 *
 * @param {HTMLElement} button
 * @param {HTMLInputElement} input
 */
export function copyOnClick(button, input) {
	button.addEventListener('click', () => {
		input.select();
		navigator.clipboard.writeText(input.value).then(
			() => {
				button.textContent = 'Copied';
				tell('Copied to the clipboard.');
			},
			() => tell('Selected: copy it with the keyboard.'),
		);
	});
}
