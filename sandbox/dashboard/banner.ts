import { html } from 'hono/html';

import type { FaultKind, FaultRule } from '../faults/rules.ts';
import type { Services } from '../services.ts';
import { counted, dateTime } from './format.ts';
import type { Html } from './layout.ts';
import { actionButton } from './parts.ts';

/** Shows on every page that the clock has been changed or faults are active, with what ends it. */
export function banner({ clock, faults }: Services): Html {
	const time = dateTime(clock.now().toISOString());
	const rules = faults.active();
	return html`<div id="banner">
		${clock.adjusted() ? warning('clock', 'The clock has been changed', `it shows ${time}`) : ''}
		${
			rules.length > 0
				? warning(
						'faults',
						`${counted(rules.length, 'fault')} active`,
						rules.map(describeRule).join('; '),
					)
				: ''
		}
	</div>`;
}

const warning = (what: 'clock' | 'faults', title: string, state: string): Html =>
	html`<div class="alert alert-warning p-2 d-flex flex-wrap gap-2 justify-content-between">
		<span
			><a class="alert-link" href="/dashboard/controls#${what}-heading">${title}</a>:
			${state}.</span
		>
		${actionButton(`/dashboard/controls/${what}/reset`, 'Reset', what)}
	</div>`;

/** The kinds of faults, for people. */
const FAULT_KINDS: Record<FaultKind, string> = {
	status: 'Error',
	latency: 'Latency',
	'drop-before': 'Connection closed before the request is processed',
	'drop-after': 'Connection closed after the request is processed',
	duplicate: 'Deliveries sent twice',
	'bad-signature': 'Deliveries with a wrong signature',
	late: 'Late deliveries',
	reverse: 'Deliveries in reverse order',
};

/** Describes a fault rule for people: "Error, status 429, path /cards, probability 0.5". */
export const describeRule = ({ kind, ...settings }: FaultRule): string =>
	[
		FAULT_KINDS[kind],
		...Object.entries(settings)
			.filter(([name, value]) => !(name === 'probability' && value === 1))
			.map(([name, value]) => `${name} ${value}`),
	].join(', ');
