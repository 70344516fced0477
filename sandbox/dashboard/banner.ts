import { html } from 'hono/html';

import type { FaultRule } from '../faults/rules.ts';
import type { Services } from '../services.ts';
import { counted, dateTime } from './format.ts';
import type { Html } from './layout.ts';
import { actionButton, live } from './parts.ts';

/** Shows on every page that the clock has been changed or faults are active, with what ends it. */
export const banner = ({ clock, faults }: Services): Html =>
	live(
		'banner',
		'/dashboard/controls/banner',
		html`${clock.adjusted() ? clockWarning(clock.now().toISOString()) : ''}
		${faults.active().length > 0 ? faultsWarning(faults.active()) : ''}`,
	);

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

const MOST_SHOWN = 3;

function faultsWarning(rules: FaultRule[]): Html {
	const shown = rules.slice(0, MOST_SHOWN).map(describeRule).join('; ');
	const more = rules.length > MOST_SHOWN ? '; …' : '';
	return warning(
		html`<a class="alert-link" href="/dashboard/controls#faults-heading"
				>${counted(rules.length, 'fault')} active</a
			>: ${shown}${more}.`,
		'faults',
		'faults',
	);
}

/** Describes a fault rule for people: "HTTP 429 for GET /cards, probability 0.5". */
export function describeRule(rule: FaultRule): string {
	const { probability, times } = rule;
	return [
		whatGoesWrong(rule) + where(rule),
		...(probability < 1 ? [`probability ${probability}`] : []),
		...(times === undefined ? [] : [`at most ${counted(times, 'time')}`]),
	].join(', ');
}

function whatGoesWrong(rule: FaultRule): string {
	switch (rule.kind) {
		case 'status':
			return rule.retryAfter === undefined
				? `HTTP ${rule.status}`
				: `HTTP ${rule.status} with Retry-After ${rule.retryAfter}`;
		case 'latency':
			return `${rule.ms} ms latency`;
		case 'drop-before':
			return 'connection closed before the request is processed';
		case 'drop-after':
			return 'connection closed after the request is processed';
		case 'duplicate':
			return 'deliveries sent twice';
		case 'bad-signature':
			return 'deliveries with a wrong signature';
		case 'reorder':
			return `deliveries held back for ${rule.ms} ms`;
	}
}

function where(rule: FaultRule): string {
	if (!('method' in rule) && !('path' in rule)) return '';
	return ` for ${[rule.method, rule.path].filter((part) => part !== undefined).join(' ')}`;
}
