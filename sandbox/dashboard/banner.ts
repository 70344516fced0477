import { html } from 'hono/html';

import type { FaultKind, FaultRule } from '../faults/rules.ts';
import type { Services } from '../services.ts';
import { counted, dateTime } from './format.ts';
import type { Html } from './layout.ts';
import { actionButton } from './parts.ts';

/** Shows on every page that the clock has been changed or faults are active, with what ends it. */
export const banner = ({ clock, faults }: Services): Html =>
	html`<div id="banner">
		${clock.adjusted() ? clockWarning(clock.now().toISOString()) : ''}
		${faults.active().length > 0 ? faultsWarning(faults.active()) : ''}
	</div>`;

const warning = (content: Html, reset: string, what: string): Html =>
	html`<div class="alert alert-warning p-2 d-flex flex-wrap gap-2 justify-content-between">
		<span>${content}</span> ${actionButton(`/dashboard/controls/${reset}/reset`, 'Reset', what)}
	</div>`;

const clockWarning = (now: string): Html =>
	warning(
		html`<a class="alert-link" href="/dashboard/controls#clock-heading"
				>The clock has been changed</a
			>: it shows ${dateTime(now)}.`,
		'clock',
		'the clock',
	);

const faultsWarning = (rules: FaultRule[]): Html =>
	warning(
		html`<a class="alert-link" href="/dashboard/controls#faults-heading"
				>${counted(rules.length, 'fault')} active</a
			>: ${rules.map(describeRule).join('; ')}.`,
		'faults',
		'faults',
	);

/** The kinds of faults, for people. */
const FAULT_KINDS: Record<FaultKind, string> = {
	status: 'Error',
	latency: 'Latency',
	'drop-before': 'Connection closed before the request is processed',
	'drop-after': 'Connection closed after the request is processed',
	duplicate: 'Deliveries sent twice',
	'bad-signature': 'Deliveries with a wrong signature',
};

/** Describes a fault rule for people: "Error, status 429, path /cards, probability 0.5". */
export const describeRule = ({ kind, ...settings }: FaultRule): string =>
	[
		FAULT_KINDS[kind],
		...Object.entries(settings)
			.filter(([name, value]) => !(name === 'probability' && value === 1))
			.map(([name, value]) => `${name} ${value}`),
	].join(', ');
