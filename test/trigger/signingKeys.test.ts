import type { KeyObject } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import type { IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { createNode } from '../../dev/harness/core/credentials.ts';
import { signingKeysOf } from '../../nodes/CardPlatform/webhook/signingKeys';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let now = Date.UTC(2026, 10, 21, 12);
beforeEach(() => {
	// So that no test finds the keys of another one.
	now += 60_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** A trigger with a credential; what the credential holds, and how often it was read. */
function createTrigger(name = 'Trigger', mode: WorkflowExecuteMode = 'webhook') {
	const node = createNode('cardPlatformTrigger', {}, { name });
	const trigger = {
		secret: 'new',
		isLocked: false,
		reads: 0,
		keys: async () => await signingKeysOf(context as IWebhookFunctions),
		secrets: async () => (await trigger.keys()).map((key) => key.export().toString()),
	};
	const context: Partial<IWebhookFunctions> = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'w', active: true }),
		getMode: () => mode,
		getCredentials: async <T extends object>() => {
			trigger.reads++;
			if (trigger.isLocked) throw new Error('locked');
			return { signingSecret: trigger.secret } as T;
		},
	};
	return trigger;
}

test('in production, deliveries that come together read the credential once', async () => {
	const trigger = createTrigger();
	await Promise.all(Array.from({ length: 20 }, async () => await trigger.keys()));
	expect(trigger.reads).toBe(1);
});

test('no schedule of deliveries makes a key be trusted for 30 s after it was removed', async () => {
	const pauses = fc.array(fc.nat(20_000), { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(pauses, fc.nat(59), async (each, at) => {
			now += 60_000;
			const trigger = createTrigger();
			let changedAt = Infinity;
			for (const [index, pause] of each.entries()) {
				now += pause;
				if (index === at) {
					changedAt = now;
					trigger.secret = 'newer';
				}
				const [secret] = await trigger.secrets();
				if (now - changedAt >= 30_000) expect(secret).toBe('newer');
			}
			const time = each.reduce((sum, pause) => sum + pause, 0);
			expect(trigger.reads).toBeLessThanOrEqual(1 + time / 30_000);
		}),
	);
});

test('while a person tests, a corrected secret counts at once', async () => {
	const trigger = createTrigger('Trigger', 'manual');
	for (const secret of ['new', 'newer']) {
		trigger.secret = secret;
		expect(await trigger.secrets()).toEqual([secret]);
	}
});

test('each trigger has its own keys; without a credential it has none', async () => {
	const [one, other] = [createTrigger('One'), createTrigger('Other')];
	other.secret = 'other';
	expect([await one.secrets(), await other.secrets()]).toEqual([['new'], ['other']]);
	const node = createNode('cardPlatformTrigger', {}, { credentials: {} });
	expect(await signingKeysOf({ getNode: () => node } as IWebhookFunctions)).toEqual([]);
});

test('a clock that was set back does not make keys last longer', async () => {
	const trigger = createTrigger();
	await trigger.keys();
	trigger.secret = 'newer';
	now--;
	expect(await trigger.secrets()).toEqual(['newer']);
});

test('a credential that could not be read is read again by the next delivery', async () => {
	const trigger = createTrigger();
	trigger.isLocked = true;
	await expect(trigger.keys()).rejects.toThrow('locked');
	trigger.isLocked = false;
	expect(await trigger.secrets()).toEqual(['new']);
});

test('keys that are too old are removed from memory, for any trigger', async () => {
	const read = async () => new WeakRef<KeyObject[]>(await createTrigger('Gone').keys());
	const keys = await read();
	now += 30_000;
	await createTrigger('Other').keys();
	await new Promise((done) => setImmediate(done));
	collectGarbage();
	expect(keys.deref()).toBeUndefined();
});
