import { actionButton } from './actions.js';
import { badge } from './badge.js';
import { control } from './control.js';
import { make } from './dom.js';
import { when } from './format.js';
import { tell } from './notices.js';

/**
 * Shows a delivery: its status and last attempt; opened, all attempts and a way to repeat it.
 *
 * @param {import('./types.d.ts').Delivery} delivery
 * @param {() => Promise<void>} refresh
 */
export function deliveryItem(delivery, refresh) {
	const { id, eventId, url, status, attempts } = delivery;
	const last = attempts.at(-1);
	const facts = [
		last ? outcome(last) : 'no attempt yet',
		attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`,
		`event ${eventId.slice(0, 8)}`,
	];
	const about = `of event ${eventId.slice(0, 8)} to ${url}`;
	const redeliver = actionButton('Redeliver', about, async () => {
		await control('POST', `/deliveries/${id}/redeliver`);
		tell('The event is being delivered again.');
		await refresh();
	});
	return make(
		'li',
		{ class: 'delivery' },
		make(
			'details',
			{},
			make(
				'summary',
				{},
				badge(status),
				make('span', { class: 'main' }, url, make('small', {}, facts.join(' · '))),
			),
			make('p', { class: 'muted' }, 'Event ID ', make('code', {}, eventId)),
			make('ol', { class: 'attempts' }, ...attempts.map(attemptItem)),
			make('div', { class: 'actions' }, redeliver),
		),
	);
}

/** @param {import('./types.d.ts').Attempt} attempt */
function attemptItem(attempt) {
	const { at, responseBody } = attempt;
	return make(
		'li',
		{},
		make('span', {}, make('time', { datetime: at }, when(at)), ` — ${outcome(attempt)}`),
		responseBody === ''
			? make('span', { class: 'muted' }, attempt.httpStatus === null ? '' : 'empty response')
			: make('pre', { tabindex: 0, 'aria-label': 'Response' }, responseBody),
	);
}

/** @param {import('./types.d.ts').Attempt} attempt */
const outcome = ({ httpStatus, error, durationMs }) =>
	`${httpStatus === null ? (error ?? 'no response') : `HTTP ${httpStatus}`} · ${durationMs} ms`;
