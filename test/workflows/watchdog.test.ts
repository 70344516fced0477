import { DateTime } from 'luxon';

import { codeStep, type Json } from './codeStep';

const failedOrPolled = codeStep('watchdog.json', 'Failed or polled');
const writeMessage = codeStep('watchdog.json', 'Write the message');
const now = DateTime.fromISO('2026-05-01T12:00:00Z');
const before = (minutes: number) => now.minus({ minutes }).toISO();

const node = (type: string, name: string) => ({ name, type: `n8n-nodes-card-platform.${type}` });
const webhook = node('cardPlatformTrigger', 'Webhook');
const poll = node('cardPlatformPollingTrigger', 'Poll');
const watched = { id: 'watched', name: 'Watched', nodes: [webhook, poll] };

/** An execution of the watched workflow, half an hour ago. */
const execution = (id: string, more: Json = {}): Json => ({
	...{ id, workflowId: 'watched', mode: 'webhook', status: 'success', startedAt: before(30) },
	...more,
});
const failed = { status: 'error' };
const polled = { mode: 'trigger' };

/** The lines of the message; `details` are what the newest executions say. */
function linesOf(executions: Json[], details: Json[] = [{}], results: Record<string, Json[]> = {}) {
	const read = {
		'Check the connection': [{ success: true }],
		'Published workflows': [watched],
		'Their executions': executions,
		...results,
	};
	const input = executions;
	const found = failedOrPolled({ outputs: read, input, globals: { $now: now } });
	const outputs = { ...read, 'Failed or polled': found, 'What they say': details };
	const [message] = writeMessage({ outputs });
	return message === undefined ? [] : String(message.text).split('\n').slice(1);
}

describe('"Watchdog"', () => {
	it.each<[string, Json[]]>([
		['an execution that succeeded', [execution('1')]],
		['a failure in the editor', [execution('1', { ...failed, mode: 'manual' })]],
		['a failure that a retry has repaired', [execution('1', { ...failed, retrySuccessId: '2' })]],
		['a failure of more than an hour ago', [execution('1', { ...failed, startedAt: before(61) })]],
		[
			'a failure before its last run',
			[
				execution('2', { ...polled, workflowId: 'this', startedAt: before(20) }),
				execution('1', failed),
			],
		],
	])('says nothing of %s', (_, executions) => {
		expect(linesOf(executions)).toEqual([]);
	});

	it('looks back to its last run that succeeded', () => {
		const own = { ...polled, workflowId: 'this' };
		const run = (minutes: number, status: string) =>
			execution(`${minutes}`, { ...own, status, startedAt: before(minutes) });
		const old = execution('1', { ...failed, startedAt: before(100) });
		expect(linesOf([run(30, 'error'), run(120, 'success'), old])).toHaveLength(1);
	});

	it('tells of events that came by poll and not by webhook, where there is a webhook', () => {
		const items = (count: number) => {
			const main = [Array.from({ length: count }, () => ({}))];
			return { data: { resultData: { runData: { Poll: [{ data: { main } }] } } } };
		};
		const executions = [execution('2', polled), execution('1', polled)];
		const told = (details: Json[], nodes: Json[] = watched.nodes) =>
			linesOf(executions, details, { 'Published workflows': [{ ...watched, nodes }] });
		expect(told([items(2), items(1)])).toEqual([
			expect.stringMatching(/^Watched: 3 card events came by poll and not by webhook\./),
		]);
		expect(told([items(0), items(0)])).toEqual([]);
		expect(told([items(1), items(1)], [poll])).toEqual([]);
		expect(told([items(1), items(1)], [poll, { ...webhook, disabled: true }])).toEqual([]);
	});

	it('says that it has not looked at all executions', () => {
		const many = Array.from({ length: 250 }, (_, index) => execution(`${index}`));
		expect(linesOf(many)).toEqual([expect.stringContaining('only the newest 250')]);
	});
});
