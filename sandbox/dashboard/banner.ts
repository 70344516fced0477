import { STATUS_CODES } from 'node:http';

import { html } from 'hono/html';

import type { FaultRule } from '../faults/rules.ts';
import type { Services } from '../services.ts';
import { counted, shortTime } from './format.ts';
import type { Html } from './layout.ts';
import { actionButton } from './parts.ts';

/** Shows on every page that the clock has been changed or faults are active, with what ends it. */
export function banner({ clock, faults }: Services): Html {
	const time = shortTime(clock.now().toISOString());
	const state = `it ${clock.frozen() ? 'is stopped at' : 'shows'} ${time}`;
	const rules = faults.active();
	const active = rules.map(describeRule).join('; ');
	return html`<div id="banner">
		${clock.adjusted() && warning('clock', 'The clock has been changed', state)}
		${rules.length > 0 && warning('faults', `${counted(rules.length, 'fault')} active`, active)}
	</div>`;
}

const warning = (what: 'clock' | 'faults', title: string, state: string): Html =>
	html`<div class="alert alert-warning p-2 d-flex gap-2 align-items-center justify-content-between">
		<span
			><a class="alert-link" href="/dashboard/controls#${what}-heading">${title}</a>:
			${state}.</span
		>
		${actionButton(`/dashboard/controls/${what}/reset`, 'Reset', what)}
	</div>`;

/** What goes wrong, in words: "503 Service unavailable", "429, retry after 2 s". */
export function effectOf(rule: FaultRule): string {
	switch (rule.kind) {
		case 'status': {
			const [first = '', ...rest] = STATUS_CODES[rule.status] ?? 'Error';
			const name = `${rule.status} ${first}${rest.join('').toLowerCase()}`;
			return rule.retryAfter === undefined
				? name
				: `${rule.status}, retry after ${rule.retryAfter} s`;
		}
		case 'latency':
			return `Responses ${rule.ms / 1_000} s late`;
		case 'drop-before':
			return 'Connection closed before processing';
		case 'drop-after':
			return 'Connection closed after processing';
		case 'duplicate':
			return 'Deliveries sent twice';
		case 'bad-signature':
			return 'Deliveries with a wrong signature';
	}
}

/** "GET /cards": the requests that a rule is limited to. */
export const placeOf = (rule: FaultRule): string =>
	'path' in rule || 'method' in rule ? [rule.method, rule.path].filter(Boolean).join(' ') : '';

/** Describes a fault rule for people: "503 Service unavailable, on GET /cards, 3 times at most". */
export function describeRule(rule: FaultRule): string {
	const where = placeOf(rule);
	return [
		effectOf(rule),
		where && `on ${where}`,
		rule.times === undefined ? 'until turned off' : `${counted(rule.times, 'time')} at most`,
	]
		.filter(Boolean)
		.join(', ');
}
