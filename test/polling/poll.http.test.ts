import '../support/noWaits';

import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import type { FaultRule, Purchase } from '../../dev/harness/sandboxClient.ts';
import { skippedMs } from '../support/noWaits';
import { createPollingTrigger } from '../support/pollingTrigger';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const DECLINE: Partial<Purchase> = { decline: { reason: 'suspected_fraud' } };
const { now } = Date;

const fails = (path: string, status = 500) => ({ kind: 'status', status, path }) as const;
const rateLimit = (path: string): FaultRule => ({ ...fails(path, 429), retryAfter: 0 });

let sandbox: TestSandbox;
beforeEach(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => now() + skippedMs());
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

async function purchase(more: Partial<Purchase> = {}, cardIndex = 0) {
	const cards = await sandbox.cards();
	const cardId = cards[cardIndex]?.id ?? '';
	const usual = { cardId, amount: '12.50', merchantName: 'Bakery' };
	return await sandbox.client.authorize({ ...usual, ...more });
}

const setFaults = async (...rules: FaultRule[]) => await sandbox.client.setFaults(rules);

const idsOf = (items: { id?: unknown }[] | null) => items?.map(({ id }) => id);

/** A trigger that was published. */
async function publish(parameters: INodeParameters = {}) {
	const trigger = createPollingTrigger(sandbox.credentials({ readOnly: true }), parameters);
	const poll = trigger.activate();
	const first = await poll();
	return { ...trigger, poll, first };
}

test('only what passes Trigger On and Filters is found', async () => {
	const { poll } = await publish({ events: ['declined'], filters: { minimumAmount: '100' } });
	await purchase();
	await purchase(DECLINE);
	const wanted = await purchase({ ...DECLINE, amount: '100.00' });
	expect(idsOf(await poll())).toEqual([wanted.event.id]);
});

describe('a poll that fails', () => {
	test.each<[string, FaultRule, string, string]>([
		['500', fails('/transactions'), '', 'internal-server-error'],
		['429', rateLimit('/transactions'), ' If it happens often, poll less', 'The API is busy: it'],
	])('changes nothing: %s', async (httpCode, rule, hint, message) => {
		const { poll, stored } = await publish();
		const { event } = await purchase();
		const before = stored();
		await setFaults(rule);
		const failure: unknown = await poll().catch((error: unknown) => error);
		expect(failure).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(
				`The trigger polls again at the next of its Poll Times, and no card event is lost.${hint}`,
			),
			httpCode,
		});
		expect(stored()).toBe(before);
		await setFaults();
		expect(idsOf(await poll())).toEqual([event.id]);
	});

	test('keeps what it has read when the API limits the rate', async () => {
		const trigger = createPollingTrigger(sandbox.credentials({ maxConcurrentRequests: 1 }));
		const poll = trigger.activate();
		await poll();
		const first = await purchase(DECLINE, 0);
		const second = await purchase(DECLINE, 1);
		const cards = await sandbox.cards();
		await setFaults(rateLimit(`/cards/${cards[1]?.id ?? ''}`));
		expect(idsOf(await poll())).toEqual([first.event.id]);
		expect(trigger.warnings).toEqual([
			expect.stringMatching(/ended a poll early, and the next one continues: rate limit \(/),
		]);
		await setFaults();
		expect(idsOf(await poll())).toEqual([second.event.id]);
		expect(trigger.warnings).toHaveLength(1);
	});

	test('does not stop the trigger when n8n starts', async () => {
		const { activate, poll, warnings } = await publish();
		const before = await purchase();
		expect(await poll()).toHaveLength(1);
		const { event } = await purchase();
		await setFaults(fails('/transactions'));
		const pollAgain = activate('init');
		expect(await pollAgain()).toBeNull();
		expect(warnings).toEqual([
			expect.stringMatching(/could not poll when n8n started, and polls again: .*server-error/),
		]);
		await expect(pollAgain()).rejects.toMatchObject({ httpCode: '500' });
		await setFaults();
		expect(idsOf(await pollAgain())).toEqual([before.event.id, event.id]);
	});

	test('stops a trigger that has never polled when n8n starts', async () => {
		await setFaults(fails('/transactions'));
		const poll = createPollingTrigger(sandbox.credentials()).activate('init');
		await expect(poll()).rejects.toMatchObject({ httpCode: '500' });
	});

	test('All Events beside other choices is refused only when a workflow is published', async () => {
		const trigger = createPollingTrigger(sandbox.credentials(), { events: ['all', 'declined'] });
		for (const mode of ['activate', 'update'] as const) {
			await expect(trigger.activate(mode)()).rejects.toThrow(
				/has "All Events" and other choices\. .*Remove "All Events", or/,
			);
		}
		const poll = trigger.activate('init');
		expect(await poll()).toBeNull();
		const { event } = await purchase();
		expect(idsOf(await poll())).toEqual([event.id]);
	});

	test('has the message of n8n if the credential cannot be read', async () => {
		const locked = new Proxy(sandbox.credentials(), {
			get: () => {
				throw new Error('database is locked');
			},
		});
		await expect(createPollingTrigger(locked).activate()()).rejects.toMatchObject({
			message: 'database is locked',
		});
	});

	test('keeps a workflow from being published, and the message says why', async () => {
		const trigger = createPollingTrigger(sandbox.credentials({ apiKey: 'wrong-key-123456' }));
		await expect(trigger.activate()()).rejects.toThrow(
			/unauthorized.*Card Platform API credential/s,
		);
		await setFaults(fails('/transactions'));
		const other = createPollingTrigger(sandbox.credentials());
		await expect(other.activate()()).rejects.toThrow(
			'Publish the workflow again in a few minutes.',
		);
	});
});

test('a poll that starts during another one only writes to the log', async () => {
	const { poll, warnings } = await publish();
	await purchase();
	const polls = await Promise.all([poll(), poll()]);
	expect(polls.filter((items) => items !== null)).toHaveLength(1);
	expect(warnings).toEqual([
		expect.stringMatching(
			/^Card Platform Polling Trigger skipped a poll: the one before is still running \(workflow "Cards" \S+, node "[^"]+"\)$/,
		),
	]);
});

test('after another process has polled, the last events are emitted again', async () => {
	const { activate, poll } = await publish();
	const { event } = await purchase();
	expect(idsOf(await poll())).toEqual([event.id]);
	expect(idsOf(await activate('leadershipChange')())).toEqual([event.id]);
	// Publishing clears what could be emitted again: the trigger may want other events since then.
	expect(await activate('update')()).toBeNull();
	expect(await activate('leadershipChange')()).toBeNull();
});

test('so they are if this process lost and regained the lead during a poll', async () => {
	const { activate, poll, warnings } = await publish();
	const { event } = await purchase();
	expect(idsOf(await poll())).toEqual([event.id]);
	const pollAgain = activate('leadershipChange');
	expect(await Promise.all([poll(), pollAgain()])).toEqual([null, null]);
	expect(warnings).toEqual([expect.stringContaining('skipped a poll')]);
	expect(idsOf(await pollAgain())).toEqual([event.id]);
	expect(await pollAgain()).toBeNull();
	// Not if it was published during a poll.
	const published = activate('update');
	expect(await Promise.all([pollAgain(), published()])).toEqual([null, null]);
	expect(await published()).toBeNull();
});

describe('an execution without items stores which events are old', () => {
	test('after a change of Base URL', async () => {
		const credentials = sandbox.credentials();
		const poll = createPollingTrigger(credentials).activate();
		expect(await poll()).toBeNull();
		const baseUrl = sandbox.apiUrl.replace('127.0.0.1', 'localhost');
		Object.assign(credentials.cardPlatformApi ?? {}, { baseUrl });
		expect(await poll()).toEqual([]);
		expect(await poll()).toBeNull();
	});

	test('if the workflow was published during a poll that failed', async () => {
		const { activate } = createPollingTrigger(sandbox.credentials());
		const [before, poll] = [activate(), activate()];
		await setFaults(fails('/transactions'));
		const failing = expect(before()).rejects.toThrow('internal-server-error');
		expect(await poll()).toBeNull();
		await failing;
		await setFaults();
		expect(await poll()).toEqual([]);
	});
});

test('One Execution per Event starts one for each, the oldest first', async () => {
	const { poll, emitted } = await publish({ options: { executionPerEvent: true } });
	const made = [await purchase(), await purchase(DECLINE, 1), await purchase()];
	const last = await poll();
	expect([...emitted, last].map(idsOf)).toEqual(made.map(({ event }) => [event.id]));
});

test('Include Card names the card in the first step, after one list per poll; Simplify keeps the name', async () => {
	for (const simplify of [false, true]) {
		const trigger = await publish({ options: { includeCard: true, simplify } });
		await purchase();
		const { event } = await purchase(DECLINE);
		const polled = (await trigger.poll()) ?? [];
		const items = await trigger.execute(polled);
		const [card] = await sandbox.cards();
		expect(items.map((item) => item.transactionId)).toContain(event.transactionId);
		for (const item of items)
			expect(item).toMatchObject({ cardName: card?.name, cardLastFour: card?.lastFour });
		const names = Object.keys(items[0] ?? {});
		expect(names.includes('id')).toBe(!simplify);
		expect(names.at(-1)).toBe(simplify ? 'transactionId' : 'delivery');
	}
});

describe('a manual run', () => {
	const run = async (parameters: INodeParameters) => {
		const trigger = createPollingTrigger(sandbox.credentials(), parameters);
		const items = await trigger.execute([{}], 'manual');
		expect(trigger.stored()).toBe('{}');
		return items;
	};

	test('reads on until there are ten, or Look Back ends', async () => {
		const made: unknown[] = [];
		for (const days of [40, 20, 3, 0]) {
			await sandbox.client.setClock(new Date(Date.now() - days * 86_400_000));
			made.unshift((await purchase({ merchantName: 'Far Bakery' })).event.id);
		}
		const filters = { merchantName: 'Far Bakery' };
		expect(idsOf(await run({ filters }))).toEqual(made.slice(0, 3));
		expect(idsOf(await run({ filters, options: { lookBack: 2 } }))).toEqual(made.slice(0, 1));
		// One Execution per Event: it is one execution.
		const options = { executionPerEvent: true };
		expect(idsOf(await run({ filters, options }))).toEqual(made.slice(0, 1));
	});

	test('says so if there is no such event', async () => {
		const filters = { merchantName: 'nobody' };
		await expect(run({ filters })).rejects.toThrow('days passes the filters');
	});
});

test.each([
	[{ options: { lookBack: 0 } }, '"Look Back (Days)" must be a whole number from 1 to 365.'],
	[{ options: { recheckInterval: 1.5 } }, '"Recheck Interval (Min)" must be'],
	[{ filters: { currencies: 'EURO' } }, 'is not a valid currency code'],
])('wrong settings keep a workflow from being published: %j', async (parameters, message) => {
	const trigger = createPollingTrigger(credentialsFor(sandbox.apiUrl), parameters);
	await expect(trigger.activate()()).rejects.toThrow(message);
});
