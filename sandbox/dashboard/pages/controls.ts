import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { changeClock, clockBody, resetClock } from '../../clock/clock.ts';
import { type FaultRule, faultRuleSchema } from '../../faults/rules.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { resetBody, resetSandbox, seedNameSchema } from '../../seed/seed.ts';
import type { Services } from '../../services.ts';
import { describeRule } from '../banner.ts';
import { type FormSchema, readForm } from '../form.ts';
import { dateTime } from '../format.ts';
import { changed, type Html } from '../layout.ts';
import {
	actions,
	choice,
	confirm,
	done,
	field,
	formError,
	muted,
	options,
	panel,
	post,
	time,
} from '../parts.ts';

const PATH = '/dashboard/controls';

const clockForm: FormSchema<z.infer<typeof clockBody>> = z
	.object({ now: z.string().optional(), advanceSeconds: z.coerce.number().optional() })
	.transform(({ now, advanceSeconds }) =>
		advanceSeconds === undefined ? { now } : { advanceSeconds },
	)
	.pipe(clockBody);

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
].map((rule) => faultRuleSchema.parse(rule));

const faultForm = z.object({
	fault: z.coerce.number().int(),
	times: z.coerce.number().int().positive().optional(),
});

const resetForm = resetBody.extend({ seed: seedNameSchema.default('small') });

/** What the control plane switches: clock, faults, and the data as a whole. */
export function controlsPage(services: Services): Hono<ControlEnv> {
	const { clock, faults } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) =>
		c.render(
			html`<div class="columns">${clockPanel(services)} ${resetPanel()}</div>
				${faultsPanel()}`,
			'Controls',
		),
	);

	routes.post('/clock', async (c) => {
		changeClock(services, await readForm(c, clockForm));
		return changed(c, done(`The clock shows ${dateTime(clock.now().toISOString())}.`));
	});

	routes.post('/clock/reset', (c) => {
		resetClock(services);
		return changed(c, done('The clock shows the time of this machine.'));
	});

	routes.post('/faults', async (c) => {
		const { fault, times } = await readForm(c, faultForm);
		const rule = FAULTS[fault];
		if (!rule) throw notFound('There is no such fault');
		faults.add(times === undefined ? rule : { ...rule, times });
		return changed(c, done(`Fault added: ${describeRule(rule)}.`));
	});

	routes.post('/faults/reset', (c) => {
		faults.set([], 0);
		return changed(c, done('No faults are active.'));
	});

	routes.post('/reset', async (c) => {
		const { seed } = await readForm(c, resetForm);
		resetSandbox(services, seed);
		return changed(c, done(`The sandbox was reset (seed: ${seed}).`));
	});

	return routes;
}

const clockPanel = ({ clock }: Services): Html =>
	panel(
		'clock',
		'Clock',
		html`<form id="clock-form" ${post(`${PATH}/clock`)}>
			${field('Set to', html`name="now" required placeholder="2026-01-31T12:00:00Z"`)}
			${formError()}
			${actions(
				html`<button class="btn btn-primary">Set</button>`,
				advanceButton('+ 1 hour', 3_600),
				advanceButton('+ 1 day', 86_400),
				advanceButton('+ 30 days', 30 * 86_400),
			)}
		</form>`,
		time(clock.now().toISOString()),
	);

const advanceButton = (label: string, seconds: number): Html =>
	html`<button
		class="btn btn-outline-secondary"
		name="advanceSeconds"
		value="${seconds}"
		formnovalidate
	>
		${label}
	</button>`;

const faultsPanel = (): Html =>
	panel(
		'faults',
		'Faults',
		html`<form id="fault-form" ${post(`${PATH}/faults`)}>
			<div class="fields">
				${choice(
					'Fault',
					html`name="fault"`,
					options(FAULTS.map((rule, index) => [String(index), describeRule(rule)])),
				)}
				${field('Times at most (optional)', html`name="times" placeholder="no end"`)}
			</div>
			${muted('The control plane can limit faults to a method, a path or a probability.')}
			${formError()}
			<button class="btn btn-primary">Add fault</button>
		</form>`,
	);

const RESET_QUESTION =
	'Everything is deleted: cards, transactions, API keys, endpoints and deliveries. Systems that use the sandbox get 401 until they have a new key.';

const resetPanel = (): Html =>
	panel(
		'reset',
		'Reset the sandbox',
		html`<form id="reset-form" ${post(`${PATH}/reset`)} ${confirm(RESET_QUESTION)}>
			${choice(
				'Data afterwards',
				html`name="seed"`,
				options([
					['small', 'Small: 13 cards'],
					['large', 'Large: 253 cards, 100,000 transactions'],
					['none', 'None: two accounts'],
				]),
			)}
			${formError()}
			<button class="btn btn-outline-secondary">Reset…</button>
		</form>`,
	);
