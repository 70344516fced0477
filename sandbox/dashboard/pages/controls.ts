import { html } from 'hono/html';
import { z } from 'zod/v4';

import { changeClock } from '../../clock/clock.ts';
import { type FaultRule, faultRuleSchema } from '../../faults/rules.ts';
import { resetSandbox } from '../../seed/seed.ts';
import type { Services } from '../../services.ts';
import { describeRule, effectOf, placeOf } from '../banner.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/controls';

const clockForm = z.object({
	advanceSeconds: z.coerce.number().optional(),
	frozen: z.stringbool().optional(),
});

const MORE = html`<a href="/dashboard/reference?of=control">The control plane</a> can do more: set
	the clock to any time, limit faults to a path, and reset to other data.`;

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
].map((rule) => faultRuleSchema.parse(rule));

const faultForm = z.object({
	fault: z.coerce.number().int(),
	times: z.coerce.number('expected a number').int().positive('expected 1 or more').optional(),
});

/** What the control plane switches: clock, faults, and the data as a whole. */
export function addControls(pages: ui.Pages, services: Services): void {
	const { clock, faults } = services;
	const shownTime = () => ui.dateTime(clock.now().toISOString());

	pages.get('/controls', (c) =>
		c.render(
			html`<div class="columns">
					${ui.panel(
						'clock',
						html`Clock
						${clock.frozen() ? ui.badge('stopped', 'warning') : ui.badge('running', 'success')}`,
						ui.actions(ADVANCES.map(advanceButton), stopButton(clock.frozen())),
						shownTime(),
					)}
					${ui.panel('reset', 'Reset the sandbox', html`${ui.muted(BACK)} ${resetButton}`)}
				</div>
				${ui.panel(
					'faults',
					'Faults',
					html`${ui.table(faultTable, faults.rules())} ${faultFields}`,
					faults.rules().length > 0
						? ui.actionButton(`${PATH}/faults/reset`, 'Remove all', 'faults')
						: '',
				)}
				${ui.muted(MORE)}`,
			'Controls',
		),
	);

	pages.post('/controls/clock', async (c) => {
		changeClock(services.clock, await ui.readForm(c, clockForm));
		return ui.done(c, `The clock ${clock.frozen() ? 'is stopped at' : 'shows'} ${shownTime()}.`);
	});

	pages.post('/controls/clock/reset', (c) => {
		services.clock.reset();
		return ui.done(c, 'The clock was reset.');
	});

	pages.post('/controls/faults', async (c) => {
		const { fault, times } = await ui.readForm(c, faultForm);
		const rule = ui.found(FAULTS[fault], 'fault');
		const added = times === undefined ? rule : { ...rule, times };
		faults.add(added);
		return ui.done(c, `Fault added: ${describeRule(added)}.`);
	});

	pages.post('/controls/faults/reset', (c) => {
		faults.set([]);
		return ui.done(c, 'No faults are active.');
	});

	pages.post('/controls/reset', (c) => {
		resetSandbox(services);
		return ui.done(c, 'The sandbox was reset.');
	});
}

const advanceButton = ([label, seconds]: (typeof ADVANCES)[number]): ui.Html =>
	ui.actionButton(`${PATH}/clock`, label, 'on the clock', {
		fields: html`<input type="hidden" name="advanceSeconds" value="${seconds}" />`,
	});

const stopButton = (isStopped: boolean): ui.Html =>
	ui.actionButton(`${PATH}/clock`, isStopped ? 'Start' : 'Stop', 'the clock', {
		fields: html`<input type="hidden" name="frozen" value="${String(!isStopped)}" />`,
	});

const faultTable: ui.Table<FaultRule & { applied: number }> = {
	noun: 'fault',
	id: (_, index) => index,
	columns: [
		{ title: 'Fault', cell: (rule) => html`${effectOf(rule)} <small>${placeOf(rule)}</small>` },
		{
			title: 'Applied',
			cell: ({ applied, times }) =>
				times === undefined
					? ui.counted(applied, 'time')
					: `${applied} of ${ui.counted(times, 'time')}`,
		},
		{
			title: 'State',
			cell: ({ applied, times = Infinity }) =>
				applied < times ? ui.badge('active', 'warning') : ui.badge('used up'),
		},
	],
	empty: 'No faults.',
};

const faultFields = html`<form class="mt-3" id="fault-form" ${ui.post(`${PATH}/faults`)}>
	<div class="fields">
		${ui.choice(
			'Fault',
			html`name="fault"`,
			FAULTS.map((rule, index) => [String(index), effectOf(rule)]),
		)}
		${ui.field(
			'Repeat limit (optional)',
			html`name="times" inputmode="numeric" placeholder="unlimited"`,
		)}
	</div>
	${ui.submit('Add fault')}
</form>`;

const RESET =
	'Cards, transactions, deliveries, faults and the request log are deleted, and so are API keys and endpoints created since the start. The sandbox then has the data, the clock, the key and the endpoints of its start.';

const BACK = 'Back to the data, the clock, the key and the endpoints of the start.';

const resetButton = ui.actionButton(`${PATH}/reset`, 'Reset', 'the sandbox', { question: RESET });
