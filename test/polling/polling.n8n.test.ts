import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { cardPlatform, node, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { useTestEnvironment } from '../workflows/environment.ts';
import { pollTimes } from './pollTimes.ts';
import { ranIn } from './ran.ts';

const environment = useTestEnvironment();

/** A workflow that polls every three seconds. */
function newWorkflow() {
	const credential = environment().credentials[cardPlatform.pollingTrigger];
	const parameters = { pollTimes, options: { recheckInterval: 1 } };
	const polling = node('Polling', cardPlatform.pollingTrigger, { credential, parameters });
	return workflowOf('Events', [polling, node('Downstream', 'n8n-nodes-base.noOp')]);
}

const purchase = (place: 0 | 1, more: object = {}) => {
	const { sandbox, active } = environment().company;
	const cardId = active[place].id;
	return sandbox.authorize({ cardId, amount: '1.00', merchantName: 'Bakery', ...more });
};

/** What has run, once an event is among it. */
const arrived = (workflowId: string, event: { id: string }) =>
	waitUntil(
		async () => {
			const ran = ranIn(await environment().n8n.executions(workflowId));
			return ran.includes(event.id) ? ran : undefined;
		},
		{ what: 'the event', withinMs: 120_000, everyMs: 250 },
	);

test('each event runs once: nothing old, and all that is new, also after a poll that failed', async () => {
	const { n8n, company } = environment();
	const { sandbox } = company;
	const old = await purchase(0);
	await sandbox.simulateStep('clearing', old.transaction.id);
	const errorWorkflow = await n8n.addCallable(
		workflowOf('Errors', [node('Error', 'n8n-nodes-base.errorTrigger')]),
	);
	const settings = { executionOrder: 'v1', errorWorkflow };
	const id = await n8n.addAndPublish({ ...newWorkflow(), settings });
	const refund = await sandbox.simulateStep('refund', old.transaction.id);
	expect(await arrived(id, refund.event)).toEqual([refund.event.id]);

	await sandbox.setFaults([{ kind: 'status', status: 500, path: '/transactions' }]);
	const lost = await purchase(1);
	const failed = await waitUntil(
		async () => (await n8n.executions(id)).find(({ status }) => status === 'error'),
		{ what: 'a failed poll', withinMs: 120_000, everyMs: 250 },
	);
	const message = 'Simulated fault: 500 (500 internal-server-error)';
	const [reported] = await n8n.waitForExecutions(errorWorkflow, 1);
	expect(outputOf(reported, 'Error').items).toMatchObject([{ trigger: { error: { message } } }]);
	expect(outputOf(failed, 'Polling')).toMatchObject({
		error: message,
		hint: 'The API could not answer. The trigger polls again at the next of its Poll Times, and no card event is lost.',
		items: [],
	});
	await sandbox.setFaults([]);
	await arrived(id, lost.event);
	// The polls that have found it have seen the others once more.
	const last = await purchase(0);
	expect(await arrived(id, last.event)).toEqual([refund, lost, last].map(({ event }) => event.id));
});
