import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { changeClock, clockBody, resetClock } from '../../clock/clock.ts';
import { type CountedRule, isUsedUp } from '../../faults/faults.ts';
import { type FaultRule, faultRuleSchema } from '../../faults/rules.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { resetBody, resetSandbox, seedNameSchema } from '../../seed/seed.ts';
import type { Services } from '../../services.ts';
import { describeRule } from '../banner.ts';
import { type FormSchema, readForm } from '../form.ts';
import { counted, dateTime } from '../format.ts';
import { changed, type Html } from '../layout.ts';
import { type Table, table } from '../list.ts';
import {
	actionButton,
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

const HEADING = {
	title: 'Controls',
	lede: 'Change the clock, simulate faults, and reset the data.',
};

const PATH = '/dashboard/controls';

const clockForm: FormSchema<z.infer<typeof clockBody>> = z
	.object({ now: z.string().optional(), advanceSeconds: z.coerce.number().optional() })
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

/** What the control plane switches: features, clock, faults, and the data as a whole. */
export function controlsPage(services: Services): Hono<ControlEnv> {
	const { clock, faults } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) =>
		c.render(
			html`<div class="columns">${clockPanel(services)} ${resetPanel()}</div>
				${faultsPanel(services)}`,
			HEADING,
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
		html`${actions(
				advanceButton('+ 1 hour', 3_600),
				advanceButton('+ 1 day', 86_400),
				advanceButton('+ 30 days', 30 * 86_400),
				actionButton(`${PATH}/clock/reset`, 'Reset', 'the clock to the time of this machine'),
			)}
			<form id="clock-form" class="mt-3" ${post(`${PATH}/clock`)}>
				${field('Set to', html`name="now" required placeholder="2026-01-31T12:00:00Z"`)}
				${formError()}
				<button class="btn btn-outline-secondary">Set</button>
			</form>`,
		time(clock.now().toISOString()),
	);

const advanceButton = (label: string, seconds: number): Html =>
	actionButton(`${PATH}/clock`, label, 'on the clock', {
		fields: html`<input type="hidden" name="advanceSeconds" value="${seconds}" />`,
	});

const faultsPanel = ({ faults }: Services): Html =>
	panel(
		'faults',
		'Faults',
		html`${table(FAULT_TABLE, faults.rules())}
			<form id="fault-form" class="mt-3" ${post(`${PATH}/faults`)}>
				<div class="fields">
					${choice(
						'Fault',
						html`name="fault"`,
						options(FAULTS.map((rule, index) => [String(index), describeRule(rule)])),
					)}
					${field('Times at most (optional)', html`name="times" placeholder="no end"`)}
				</div>
				${formError()}
				<button class="btn btn-primary">Add fault</button>
			</form>
			${muted('The control plane can limit faults to a method, a path or a probability.')}`,
		'Of each kind, the first matching rule applies.',
	);

const FAULT_TABLE: Table<CountedRule> = {
	noun: 'fault',
	id: describeRule,
	columns: [
		{ title: 'Fault', cell: describeRule },
		{
			title: 'Applied',
			cell: (rule) =>
				`Applied ${counted(rule.applied, 'time')}${isUsedUp(rule) ? ', used up' : ''}`,
		},
	],
	empty: 'No faults are active.',
};

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
