import { z } from 'zod';

import { startServer } from '../../dev/harness/httpServer.ts';
import { node } from '../../dev/harness/n8n/workflow.ts';
import type { SimulationResult } from '../../dev/harness/sandboxClient.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { DAY, decline, interruptedIn, usePolling } from './pollingEnvironment.ts';
import { idsOf, ranIn, runsOf } from './ran.ts';

const polling = usePolling();
const { n8n, sandbox, newWorkflow, publish, purchase, arrived, twoMorePolls, waitForLog } = polling;
const { dropDeliveries } = polling;

test('after a start without the API, each event runs once', async () => {
	const id = await publish(newWorkflow('polling'));
	await n8n().stop();
	await sandbox().setFaults([{ kind: 'drop-before' }]);
	await n8n().start();
	await waitForLog('could not poll when n8n started, and polls again: No complete response from');
	await sandbox().setFaults([]);
	const { event } = await purchase(1);
	await arrived(id, [event.id]);
	await twoMorePolls();
	expect(ranIn(await n8n().executions(id))).toEqual([event.id]);
});

test('a day without n8n: 300 events, whose deliveries were given up, run once, in order', async () => {
	const old = await purchase(0);
	await sandbox().simulateStep('clearing', old.transaction.id);
	const id = await publish(newWorkflow('both'));
	await n8n().stop();

	const made: SimulationResult[] = [await sandbox().simulateStep('refund', old.transaction.id)];
	for (let number = 0; made.length < 300; number++) {
		await sandbox().advanceClock(DAY / 160);
		const first = await purchase(number, number % 4 === 0 ? decline : {});
		made.push(first);
		const steps = [[], ['reversal'], ['clearing', 'refund'], ['release']] as const;
		for (const step of steps[number % 4] ?? []) {
			made.push(await sandbox().simulateStep(step, first.transaction.id));
		}
	}
	await sandbox().setClock(new Date());
	await waitUntil(
		async () => (await sandbox().deliveries()).every(({ status }) => status !== 'pending'),
		{ what: 'the end of the deliveries', withinMs: 120_000, everyMs: 500 },
	);
	await n8n().start();

	const expected = made.map(({ event }) => event.id);
	await arrived(id, expected);
	await twoMorePolls();
	const executions = await n8n().executions(id);
	const runs = runsOf(executions);
	expect(idsOf(runs.flat()).sort()).toEqual([...expected].sort());
	const dated = z.array(
		z.object({ createdAt: z.string(), delivery: z.object({ source: z.literal('polling') }) }),
	);
	for (const items of runs) {
		const times = dated.parse(items).map(({ createdAt }) => createdAt);
		expect(times).toEqual([...times].sort());
	}
});

test('both triggers, dropped and duplicated deliveries, two crashes: no event runs twice; those of interrupted executions run when these are retried', async () => {
	// The trigger takes no delivery that is older than some minutes.
	await sandbox().setClock(new Date());
	const id = await publish(newWorkflow('both'));
	dropDeliveries();
	const made: string[] = [];
	const makePurchases = async (count: number) => {
		await sandbox().setFaults([{ kind: 'duplicate', times: 6 }]);
		for (let number = 0; number < count; number++) {
			const { event, transaction } = await purchase(made.length, number % 5 === 0 ? decline : {});
			made.push(event.id);
			if (number % 5 !== 1) continue;
			made.push((await sandbox().simulateStep('reversal', transaction.id)).event.id);
		}
	};
	// Each crash meets an n8n that has run events of both triggers, and has new ones under way.
	await makePurchases(60);
	await arrived(id, made);
	await makePurchases(60);
	await n8n().kill();
	await Promise.all([n8n().start(), makePurchases(40)]);
	await arrived(id, made);
	await twoMorePolls();
	await makePurchases(40);
	await n8n().kill();
	await Promise.all([n8n().start(), makePurchases(40)]);

	await arrived(id, made);
	await twoMorePolls();
	const total = await n8n().executions(id);
	const ran = ranIn(total);
	const crashed = total.filter(({ status }) => status === 'crashed');
	const lost = made.filter((event) => !ran.includes(event));
	expect(new Set(ran).size).toBe(ran.length);
	expect(interruptedIn(total)).toEqual(expect.arrayContaining(lost));
	for (const execution of crashed) await n8n().retry(execution, 'original workflow');
	expect(ranIn(await n8n().executions(id))).toEqual(expect.arrayContaining(made));
});

test('an execution that a crash interrupts runs with its events when it is retried', async () => {
	let isUp = false;
	const service = await startServer(({ url }, response) => {
		if (!isUp) return;
		const id = new URL(url, 'http://service').searchParams.get('id');
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
	});
	const step = node('Request', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: { url: `=${service.url}/?id={{ $json.id }}` },
	});
	const id = await publish(newWorkflow('polling', [step]));
	const made = [await purchase(0), await purchase(1)].map(({ event }) => event.id);
	await waitUntil(async () => await Promise.resolve(service.requests.length === 2 || undefined), {
		what: 'the requests',
		withinMs: 120_000,
	});
	await n8n().kill();
	isUp = true;
	await n8n().start();
	await twoMorePolls();

	const executions = await n8n().executions(id);
	const crashed = executions.filter(({ status }) => status === 'crashed');
	expect(ranIn(executions)).toEqual([]);
	expect(interruptedIn(executions).sort()).toEqual([...made].sort());
	for (const execution of crashed) await n8n().retry(execution, 'original workflow');
	expect(ranIn(await n8n().executions(id)).sort()).toEqual([...made].sort());
	await service.close();
});
