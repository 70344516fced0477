import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { changeClock, resetClock } from '../../clock/clock.ts';
import { type FaultRule, faultRuleSchema } from '../../faults/rules.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { resetSandbox } from '../../seed/seed.ts';
import type { Services } from '../../services.ts';
import { describeRule } from '../banner.ts';
import { readForm } from '../form.ts';
import { dateTime } from '../format.ts';
import { done, type Html } from '../layout.ts';
import {
	actionButton,
	actions,
	choice,
	field,
	muted,
	panel,
	post,
	submit,
	time,
} from '../parts.ts';

const PATH = '/dashboard/controls';

const clockForm = z.object({ advanceSeconds: z.coerce.number() });

const MORE = html`<a href="/dashboard/reference?of=control">The control plane</a> can do more: set
	the clock to any time, limit faults to a path or a probability, and reset to other data.`;

const ADVANCES: [label: string, seconds: number][] = [
	['+ 1 hour', 3_600],
	['+ 1 day', 86_400],
	['+ 30 days', 30 * 86_400],
];

/** Faults of the form; the control plane has all settings. */
const FAULTS: FaultRule[] = [
	{ kind: 'status', status: 429, retryAfter: 2 },
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 503 },
	{ kind: 'latency', ms: 3_000 },
	{ kind: 'drop-before' },
	{ kind: 'drop-after' },
	{ kind: 'duplicate' },
	{ kind: 'bad-signature' },
	{ kind: 'late', seconds: 60 },
	{ kind: 'reverse' },
].map((rule) => faultRuleSchema.parse(rule));

const faultForm = z.object({
	fault: z.coerce.number().int(),
	times: z.coerce.number().int().positive().optional(),
});

/** What the control plane switches: clock, faults, and the data as a whole. */
export function controlsPage(services: Services): Hono<ControlEnv> {
	const { clock, faults } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) =>
		c.render(
			html`<div class="columns">${clockPanel(services)} ${resetPanel()}</div>
				${faultsPanel()} ${muted(MORE)}`,
			'Controls',
		),
	);

	routes.post('/clock', async (c) => {
		changeClock(services, await readForm(c, clockForm));
		return done(c, `The clock shows ${dateTime(clock.now().toISOString())}.`);
	});

	routes.post('/clock/reset', (c) => {
		resetClock(services);
		return done(c, 'The clock was reset.');
	});

	routes.post('/faults', async (c) => {
		const { fault, times } = await readForm(c, faultForm);
		const rule = FAULTS[fault];
		if (!rule) throw notFound('There is no such fault');
		faults.add(times === undefined ? rule : { ...rule, times });
		return done(c, `Fault added: ${describeRule(rule)}.`);
	});

	routes.post('/faults/reset', (c) => {
		faults.set([], 0);
		return done(c, 'No faults are active.');
	});

	routes.post('/reset', (c) => {
		resetSandbox(services);
		return done(c, 'The sandbox was reset.');
	});

	return routes;
}

const clockPanel = ({ clock }: Services): Html =>
	panel(
		'clock',
		'Clock',
		actions(ADVANCES.map(([label, seconds]) => advanceButton(label, seconds))),
		time(clock.now().toISOString()),
	);

const advanceButton = (label: string, seconds: number): Html =>
	actionButton(`${PATH}/clock`, label, 'on the clock', {
		fields: html`<input type="hidden" name="advanceSeconds" value="${seconds}" />`,
	});

const faultsPanel = (): Html =>
	panel(
		'faults',
		'Faults',
		html`<form id="fault-form" ${post(`${PATH}/faults`)}>
			<div class="fields">
				${choice(
					'Fault',
					html`name="fault"`,
					FAULTS.map((rule, index) => [String(index), describeRule(rule)]),
				)}
				${field('Times at most (optional)', html`name="times" placeholder="no end"`)}
			</div>
			${submit('Add fault')}
		</form>`,
	);

const RESET_QUESTION =
	'Cards, transactions and deliveries are deleted, and so are API keys and endpoints created since the start. The sandbox then has the data, the key and the endpoints of its start.';

const resetPanel = (): Html =>
	panel(
		'reset',
		'Reset the sandbox',
		actionButton(`${PATH}/reset`, 'Reset…', 'everything', { question: RESET_QUESTION }),
	);
