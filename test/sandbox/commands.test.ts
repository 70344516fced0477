import { writeFileSync } from 'node:fs';

import { z } from 'zod';

import { sign } from '../../harness/signing.ts';
import { UsageError } from '../../sandbox/cli/options.ts';
import { send } from '../../sandbox/cli/send.ts';
import { trigger as simulate } from '../../sandbox/cli/trigger.ts';
import { kindOf } from '../../sandbox/events/financialEvent.ts';
import { runCli, temporaryFile } from './support/cli.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const eventSchema = z
	.object({
		id: z.string(),
		isSuccess: z.boolean(),
		isReversal: z.boolean(),
		amountDirection: z.enum(['debit', 'credit']),
	})
	.passthrough();

const eventIn = (body: Buffer | string = '') => eventSchema.parse(JSON.parse(String(body)));

/** What trigger has printed. */
const resultIn = (stdout: string) =>
	z
		.object({ event: eventSchema, transaction: z.object({ id: z.string(), status: z.string() }) })
		.parse(JSON.parse(stdout));

const SECRET = 'whsec_secret';

/** Runs a command to its end. */
async function run(...args: string[]) {
	const cli = runCli(...args);
	const code = await cli.ended;
	return { code, ...cli.output() };
}

const trigger = async ({ url }: TestSandbox, ...args: string[]) =>
	await run('trigger', ...args, '--url', url);

test.each([
	['purchase', ['approved'], { amount: '42.50', merchantCountry: 'US' }],
	['decline', ['declined'], { amount: '649.00' }],
	['increment', ['approved', 'approved'], { amount: '10.00' }],
	['clearing', ['approved', 'approved'], { amount: '42.50' }],
	['release', ['approved', 'reversed'], { amount: '42.50' }],
	['reversal', ['approved', 'reversed'], { amount: '42.50' }],
	['refund', ['approved', 'approved', 'refunded'], { amount: '42.50' }],
])(
	'trigger %s makes what it needs, and prints the event that an endpoint receives',
	async (what, kinds, last) => {
		const sandbox = await startSandbox();
		const receiver = await startReceiver();
		// Not of the first account: the card is one of an account with an endpoint.
		await sandbox.client.subscribe(1002, receiver.url);
		const { code, stdout, stderr } = await trigger(sandbox, what);
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		const events = (await receiver.waitFor(kinds.length)).map(({ body }) => eventIn(body));
		expect(events.map(kindOf).sort()).toEqual([...kinds].sort());
		const { event } = resultIn(stdout);
		expect(event).toMatchObject(last);
		expect(events).toContainEqual(event);
	},
);

test('trigger takes card, amount and country, and continues a transaction', async () => {
	const sandbox = await startSandbox();
	const options = ['--card', cardId(3), '--amount', '80.00', '--country', 'RO'];
	const bought = await trigger(sandbox, 'purchase', ...options);
	const { event, transaction } = resultIn(bought.stdout);
	expect(event).toMatchObject({ cardId: cardId(3), amount: '80.00', merchantCountry: 'RO' });
	expect(bought).toMatchObject({ code: 0, stderr: expect.stringContaining('has no endpoint') });
	const step = ['--transaction', transaction.id, '--amount', '30.00'];
	const cleared = await trigger(sandbox, 'clearing', ...step);
	expect(JSON.parse(cleared.stdout)).toMatchObject({
		transaction: { id: transaction.id, status: 'pending' },
		event: { amount: '30.00' },
	});
});

test('trigger exits with 1 if the platform declines, refuses or does not respond', async () => {
	const sandbox = await startSandbox();
	const declined = await trigger(sandbox, 'clearing', '--card', cardId(6));
	expect(declined.code).toBe(1);
	expect(JSON.parse(declined.stdout)).toMatchObject({ transaction: { status: 'declined' } });
	expect(declined.stderr).toContain('the platform declined the purchase: card_frozen');
	expect(await trigger(sandbox, 'clearing', '--transaction', UNKNOWN_ID)).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringContaining('HTTP 404: No transaction has this transactionId'),
	});
	await sandbox.close();
	expect(await trigger(sandbox, 'purchase')).toEqual({
		code: 1,
		stdout: '',
		stderr: `sandbox: no sandbox responds at ${sandbox.url}\n`,
	});
});

test.each([
	[['trigger'], 'the event must be one of purchase, decline, increment'],
	[['trigger', 'theft'], 'not "theft"'],
	[['trigger', 'purchase', 'refund'], 'one event'],
	[['trigger', 'purchase', '--transaction', UNKNOWN_ID], '--transaction continues'],
	[['trigger', 'refund', '--transaction', UNKNOWN_ID, '--card', UNKNOWN_ID], 'neither --card'],
	[['trigger', 'purchase', '--url', 'localhost:4010'], '--url must be'],
	[['trigger', 'purchase', '--secret', 'x'], "Unknown option '--secret'"],
	[['send', '--secret', SECRET], '--url must be'],
	[['send', '--url', 'http://localhost:9'], '--secret is missing'],
	[['send', '--url', 'http://localhost:9', '--secret', ''], '--secret is missing'],
	[['send', '--url', 'http://localhost:9', SECRET], 'send takes only options'],
	[['send', '--url', 'http://localhost:9', '--secret', SECRET, '--event', 'lost'], 'not "lost"'],
	[
		[
			'send',
			'--url',
			'http://localhost:9',
			'--secret',
			SECRET,
			'--event',
			'approved',
			'--body',
			'x',
		],
		'exclude each other',
	],
])('the command %j is a mistake, which names no secret', async ([command, ...args], named) => {
	const failure = (command === 'send' ? send(args) : simulate(args)).catch(
		(error: unknown) => error,
	);
	expect(await failure).toBeInstanceOf(UsageError);
	expect(String(await failure)).toContain(named);
	expect(String(await failure)).not.toContain(SECRET);
});

test('a mistake exits with 2', async () => {
	const { code, stdout, stderr } = await run('send', '--url', 'http://localhost:9');
	expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
	expect(stderr).toBe('sandbox: --secret is missing\n');
});

test.each(['approved', 'declined', 'refunded', 'reversed'])(
	'send signs a sample event that is %s, and prints the attempt without the secret',
	async (kind) => {
		const receiver = await startReceiver((response) => response.end('{"ignored": "filtered"}'));
		const args = ['--url', receiver.url, '--secret', SECRET, '--event', kind];
		const { code, stdout, stderr } = await run('send', ...args);
		const [delivery] = await receiver.waitFor(1);
		const body = delivery?.body ?? Buffer.alloc(0);
		const headers = {
			'x-webhook-event-id': eventIn(body).id,
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-signature': sign(body, SECRET),
		};
		expect(kindOf(eventIn(body))).toBe(kind);
		expect(delivery?.headers).toMatchObject({ ...headers, 'content-type': 'application/json' });
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			httpStatus: 200,
			ignored: 'filtered',
			requestHeaders: headers,
		});
		expect(stderr).toContain('Nothing to do');
		expect(stdout + stderr).not.toContain(SECRET);
	},
);

test('send takes the bytes of a file, two secrets and any timestamp', async () => {
	const receiver = await startReceiver();
	const file = temporaryFile('event.json');
	const bytes = '{ "id": "e1",\n\t"amount": 1.10 }\n';
	writeFileSync(file, bytes);
	const args = ['--url', receiver.url, '--secret', 'new', '--secret', 'old', '--body', file];
	expect(await run('send', ...args, '--timestamp', 'yesterday')).toMatchObject({ code: 0 });
	const [delivery] = await receiver.waitFor(1);
	expect(String(delivery?.body)).toBe(bytes);
	expect(delivery?.headers).toMatchObject({
		'x-webhook-event-id': 'e1',
		'x-webhook-timestamp': 'yesterday',
		'x-webhook-signature': `${sign(bytes, 'new')},${sign(bytes, 'old')}`,
	});
});

test('send exits with 1 if the receiver rejects the delivery, cannot be reached, or the file not be read', async () => {
	const receiver = await startReceiver((response) => {
		response.writeHead(401).end('{"code": "unauthorized", "message": "signature-mismatch"}');
	});
	const rejected = await run('send', '--url', receiver.url, '--secret', SECRET);
	expect(rejected).toMatchObject({ code: 1, stderr: expect.stringMatching(/^sandbox: Paste /) });
	expect(JSON.parse(rejected.stdout)).toMatchObject({ httpStatus: 401, ignored: null });
	const args = ['--url', 'http://127.0.0.1:9/hook', '--secret', SECRET];
	const unreachable = await run('send', ...args);
	expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('start n8n') });
	expect(JSON.parse(unreachable.stdout)).toMatchObject({ httpStatus: null });
	expect(await run('send', ...args, '--body', '/no/such/file')).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringContaining('cannot read /no/such/file'),
	});
});
