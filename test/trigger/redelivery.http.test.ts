import type { INodeParameters } from 'n8n-workflow';

import { eventually } from '../../dev/harness/tools/waiting.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { recordContractOfEachTest } from '../support/contract';
import { startTrigger, type TestTrigger } from '../support/trigger';

const contract = recordContractOfEachTest('checked');

const HOUR = 3_600_000;

const realNow = Date.now.bind(Date);

let sandbox: Sandbox;
let client: SandboxClient;
let trigger: TestTrigger;
afterEach(async () => {
	await trigger.close();
	await sandbox.close();
	jest.restoreAllMocks();
});

/** The attempts of the one delivery, once there are that many. */
const attempts = async (count: number) =>
	await eventually(async () => {
		const all = (await client.deliveries()).flatMap((delivery) => delivery.attempts);
		expect(all).toHaveLength(count);
		return all;
	});

/**
 * Lets an event happen while n8n is down, for six hours by every clock; then n8n is up again.
 *
 * @returns how the platform's second attempt was answered, and what the trigger logged as a warning
 */
async function surviveAnOutage(retryTimestamp: 'new' | 'original', parameters: INodeParameters) {
	let ahead = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead);
	const deliveries = { baseDelay: HOUR, maxDelay: HOUR, timeout: 60_000 };
	sandbox = await startSandbox({ now: () => new Date(Date.now()), deliveries, ...contract });
	client = new SandboxClient(sandbox.url);

	let isDown = true;
	let signingSecret = '';
	const logged: string[] = [];
	trigger = await startTrigger(() => ({ cardPlatformWebhookApi: { signingSecret } }), {
		parameters,
		handOver: () => (isDown ? 503 : 200),
		onContext: ({ logger }) => {
			jest.spyOn(logger, 'warn').mockImplementation((line) => void logged.push(line));
		},
	});
	({ signingSecret } = await client.subscribe(1001, trigger.url, { retryTimestamp }));
	await client.authorize({ cardId: 'ca4d0000-0000-4000-8000-000000000003', amount: '1.00' });
	expect(await attempts(1)).toMatchObject([{ httpStatus: 503 }]);
	isDown = false;
	ahead = 6 * HOUR;
	const [, second] = await attempts(2);
	return { second, logged };
}

const accepted = { httpStatus: 200, responseBody: '' };

test('after an outage, a retry with a new timestamp is accepted', async () => {
	expect(await surviveAnOutage('new', {})).toMatchObject({ second: accepted, logged: [] });
});

test('a retry with the original timestamp is refused, and the log names the option to change', async () => {
	const { second, logged } = await surviveAnOutage('original', {});
	expect(second).toMatchObject({ httpStatus: 401 });
	expect(second?.responseBody).toContain('timestamp-too-old');
	expect(logged).toEqual([
		expect.stringContaining('see the option "Timestamp Tolerance (Seconds)"'),
	]);
});

test('a retry with the original timestamp is accepted if the tolerance is as long as the outage', async () => {
	const options = { timestampTolerance: 86_400 };
	expect(await surviveAnOutage('original', { options })).toMatchObject({
		second: accepted,
		logged: [],
	});
});
