import { byId } from './dom.js';

/** Milliseconds that a notice stays. */
const STAYS = 6_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/**
 * Tells that something was done; read out by screen readers.
 *
 * @param {string} text
 */
export function tell(text) {
	show('notice', text);
}

/**
 * Tells at once what went wrong.
 *
 * @param {unknown} error
 */
export function tellProblem(error) {
	show('problem', messageOf(error));
}

/**
 * Gives what an error says.
 *
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {'notice' | 'problem'} id
 * @param {string} text
 */
function show(id, text) {
	clearTimeout(fading);
	for (const each of ['notice', 'problem']) {
		byId(each, HTMLParagraphElement).textContent = each === id ? text : '';
	}
	fading = setTimeout(() => byId(id, HTMLParagraphElement).replaceChildren(), STAYS);
}
