import { make } from './dom.js';
import { messageOf, tellProblem } from './notices.js';

/**
 * Makes a button that does something; a second click while it does is ignored, and what goes wrong
 * is told.
 *
 * @param {string} label
 * @param {string} about what it acts on, for screen readers
 * @param {() => Promise<void>} work
 * @param {string} [kind] class of the button
 */
export function actionButton(label, about, work, kind) {
	let busy = false;
	const click = async () => {
		if (busy) return;
		busy = true;
		await work().catch(tellProblem);
		busy = false;
	};
	return make(
		'button',
		{ type: 'button', class: kind, 'aria-label': `${label} ${about}`, onclick: () => void click() },
		label,
	);
}

/**
 * Does something with each submission of a form, one at a time; what goes wrong is told in the form.
 *
 * @param {HTMLFormElement} form
 * @param {Promise<void>} filled kept once all choices are offered: a submission before that waits
 * @param {(data: FormData) => Promise<void>} work
 */
export function onSubmit(form, filled, work) {
	const error = form.querySelector('[role=alert]');
	if (!(error instanceof HTMLElement)) throw new Error('the form has no place for its errors');
	let busy = false;
	const submit = async () => {
		if (busy) return;
		busy = true;
		error.hidden = true;
		try {
			await filled;
			await work(new FormData(form));
		} catch (problem) {
			error.textContent = messageOf(problem);
			error.hidden = false;
		}
		busy = false;
	};
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void submit();
	});
}
