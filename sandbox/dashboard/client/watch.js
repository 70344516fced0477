import { control } from './control.js';
import { tellProblem } from './notices.js';

/** Milliseconds from one answer to the next question. */
const INTERVAL = 1_000;

/**
 * Keeps reading from the control plane and calls `show` with each answer that differs from the one
 * before; a hidden page rests. Gives a function that reads at once; its `shown` is kept once
 * the first answer was shown.
 *
 * @template T
 * @param {() => string | undefined} path tells what to read; undefined: nothing for now
 * @param {(answer: T) => void} show
 * @returns {(() => Promise<void>) & { shown: Promise<void> }}
 */
export function watch(path, show) {
	let last = '';
	let latest = 0;
	/** @type {() => void} */
	let tellShown;
	/** @type {Promise<void>} */
	const shown = new Promise((resolve) => (tellShown = resolve));
	const read = async () => {
		const asked = path();
		if (asked === undefined) return;
		const number = ++latest;
		const answer = await control('GET', asked);
		const json = JSON.stringify(answer);
		// An answer that was overtaken by a later question is out of date.
		if (number !== latest || json === last) return;
		last = json;
		show(answer);
		tellShown();
	};
	const readAndTell = async () => {
		try {
			await read();
		} catch (error) {
			tellProblem(error);
		}
	};
	const keepReading = async () => {
		if (!document.hidden) await readAndTell();
		setTimeout(keepReading, INTERVAL);
	};
	void keepReading();
	return Object.assign(readAndTell, { shown });
}
