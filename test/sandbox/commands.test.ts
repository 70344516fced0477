import { writeFileSync } from 'node:fs';

import { sign } from '../../dev/harness/signing.ts';
import { send } from '../../sandbox/cli/send.ts';
import { trigger } from '../../sandbox/cli/trigger.ts';
import type { CardEvent } from '../../sandbox/client.ts';
import { kindOf } from '../../sandbox/events/financialEvent.ts';
import { UsageError } from '../../sandbox/http/errors.ts';
import { temporaryFile } from './support/cli.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

interface Printed {
	event: CardEvent;
	deliveries: { url: string; httpStatus: number | null }[];
	transaction: { id: string; status: string };
}

const SECRET = 'whsec_secret';

const eventIn = (body: Buffer | string = '') => JSON.parse(String(body)) as CardEvent;

/** Runs a command in this process; gives its exit code, the JSON that it prints, and what it says. */
async function run(command: (args: string[]) => Promise<number>, ...args: string[]) {
	const out = jest.spyOn(console, 'log').mockImplementation();
	const error = jest.spyOn(console, 'error').mockImplementation();
	try {
		const code = await command(args).catch((thrown: unknown) => String(thrown));
		const [[json] = []] = out.mock.calls;
		const printed = (json === undefined ? undefined : JSON.parse(String(json))) as Printed;
		return { code, printed, said: error.mock.calls.flat().join('\n') };
	} finally {
		jest.restoreAllMocks();
	}
}

const simulate = ({ url }: TestSandbox, ...args: string[]) =>
	run(trigger, ...args, '--sandbox', url);

test.each([
	['purchase', ['approved'], { amount: '42.50', merchantCountry: 'US', mcc: '5943' }],
	['decline', ['declined'], { amount: '649.00' }],
	['increment', ['approved', 'approved'], { amount: '10.00' }],
	['clearing', ['approved', 'approved'], { amount: '42.50' }],
	['release', ['approved', 'reversed'], { amount: '42.50' }],
	['reversal', ['approved', 'reversed'], { amount: '42.50' }],
	['refund', ['approved', 'approved', 'refunded'], { amount: '42.50' }],
])('trigger %s makes what it needs, and prints its event', async (what, kinds, last) => {
	const sandbox = await startSandbox();
	const { counts } = await sandbox.client.overview();
	const { code, printed } = await simulate(sandbox, what);
	expect(code).toBe(0);
	expect(printed.event).toMatchObject(last);
	expect(kindOf(printed.event)).toBe(kinds.at(-1));
	const after = await sandbox.client.overview();
	expect(after.counts.events - counts.events).toBe(kinds.length);
});

test('trigger prints what a receiver responded', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	// Not of the first account: the card is one of an account with an endpoint.
	await sandbox.client.subscribe(1002, receiver.url);
	const { printed } = await simulate(sandbox, 'purchase');
	const [delivery] = await receiver.waitFor(1);
	expect(eventIn(delivery?.body)).toEqual(printed.event);
	const answered = { url: receiver.url, status: 'delivered', attempts: 1, httpStatus: 200 };
	expect(printed.deliveries).toMatchObject([answered]);
});

test('trigger takes what a purchase has, and continues a transaction', async () => {
	const sandbox = await startSandbox();
	const place = [
		'--merchant',
		'HOTEL',
		'--category',
		'lodging',
		'--mcc',
		'7011',
		'--country',
		'RO',
	];
	const price = ['--card', cardId(3), '--amount', '80.00', '--currency', 'EUR'];
	const { code, said, printed } = await simulate(sandbox, 'purchase', ...price, ...place);
	const bought = {
		...{ cardId: cardId(3), amount: '80.00', currency: 'EUR', merchantName: 'HOTEL' },
		...{ category: 'lodging', mcc: '7011', merchantCountry: 'RO' },
	};
	expect(printed.event).toMatchObject(bought);
	expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('has no endpoint') });
	const declined = await simulate(sandbox, 'decline', '--reason', 'expired_card');
	expect(declined.printed.event.issues).toMatchObject([{ reason: 'expired_card' }]);
	const { id } = printed.transaction;
	const step = ['--transaction', id, '--amount', '30.00'];
	expect((await simulate(sandbox, 'clearing', ...step)).printed).toMatchObject({
		transaction: { id, status: 'pending' },
		event: { amount: '30.00' },
	});
});

test('trigger fails if the platform declines, refuses or does not respond', async () => {
	const sandbox = await startSandbox();
	const declined = await simulate(sandbox, 'clearing', '--card', cardId(6));
	expect(declined).toMatchObject({ code: 1, printed: { transaction: { status: 'declined' } } });
	expect(declined.said).toContain('the platform declined the purchase: card_frozen');
	expect(await simulate(sandbox, 'clearing', '--transaction', UNKNOWN_ID)).toMatchObject({
		code: expect.stringContaining('HTTP 404: No transaction has this transactionId'),
		printed: undefined,
	});
	await sandbox.close();
	const { code } = await simulate(sandbox, 'purchase');
	expect(code).toContain(`no sandbox responds at ${sandbox.url}`);
});

const AT = ['--url', 'http://localhost:9'];

test.each<[(args: string[]) => Promise<number>, string[], string]>([
	[trigger, [], 'the event must be one of purchase, decline, increment'],
	[trigger, ['theft'], 'not "theft"'],
	[trigger, ['purchase', 'refund'], 'one event'],
	[trigger, ['purchase', '--transaction', UNKNOWN_ID], '--transaction continues'],
	[trigger, ['refund', '--transaction', UNKNOWN_ID, '--card', UNKNOWN_ID], 'only --amount'],
	[trigger, ['purchase', '--sandbox', 'localhost:4010'], '--sandbox must be'],
	[trigger, ['purchase', '--reason', 'x'], '--reason is for'],
	[trigger, ['purchase', '--secret', 'x'], "Unknown option '--secret'"],
	[send, ['--secret', SECRET], '--url must be'],
	[send, AT, '--secret is missing'],
	[send, [...AT, '--secret', ''], '--secret is missing'],
	[send, [...AT, SECRET], 'send takes only options'],
	[send, [...AT, '--secret', SECRET, '--event', 'lost'], 'not "lost"'],
	[send, [...AT, '--secret', SECRET, '--event', 'approved', '--body', 'x'], 'exclude each other'],
])('%p %j is a mistake, which names no secret', async (command, args, named) => {
	const failure = command(args).catch((error: unknown) => error);
	expect(await failure).toBeInstanceOf(UsageError);
	expect(String(await failure)).toContain(named);
	expect(String(await failure)).not.toContain(SECRET);
});

test.each(['approved', 'declined', 'refunded', 'reversed'])(
	'send signs a sample event that is %s, and prints the attempt without the secret',
	async (kind) => {
		const receiver = await startReceiver((response) => response.end('{"ignored": "filtered"}'));
		const args = ['--url', receiver.url, '--secret', SECRET, '--event', kind];
		const { code, printed, said } = await run(send, ...args);
		const [delivery] = await receiver.waitFor(1);
		const body = delivery?.body ?? Buffer.alloc(0);
		const requestHeaders = {
			'x-webhook-event-id': eventIn(body).id,
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-signature': sign(body, SECRET),
		};
		expect(kindOf(eventIn(body))).toBe(kind);
		const sent = { ...requestHeaders, 'content-type': 'application/json' };
		expect(delivery?.headers).toMatchObject(sent);
		expect(code).toBe(0);
		expect(printed).toMatchObject({ httpStatus: 200, ignored: 'filtered', requestHeaders });
		expect(said).toContain('Nothing to do');
		expect(JSON.stringify(printed) + said).not.toContain(SECRET);
	},
);

test('send takes the bytes of a file, two secrets and any timestamp', async () => {
	const receiver = await startReceiver();
	const file = temporaryFile('event.json');
	const bytes = '{ "id": "e1",\n\t"amount": 1.10 }\n';
	writeFileSync(file, bytes);
	const args = ['--url', receiver.url, '--secret', 'new', '--secret', 'old', '--body', file];
	expect(await run(send, ...args, '--timestamp', 'yesterday')).toMatchObject({ code: 0 });
	const [delivery] = await receiver.waitFor(1);
	expect(String(delivery?.body)).toBe(bytes);
	expect(delivery?.headers).toMatchObject({
		'x-webhook-event-id': 'e1',
		'x-webhook-timestamp': 'yesterday',
		'x-webhook-signature': `${sign(bytes, 'new')},${sign(bytes, 'old')}`,
	});
});

test('send fails if the receiver rejects the delivery, cannot be reached, or the file not be read', async () => {
	const receiver = await startReceiver((response) => {
		response.writeHead(401).end('{"code": "unauthorized", "message": "signature-mismatch"}');
	});
	expect(await run(send, '--url', receiver.url, '--secret', SECRET)).toMatchObject({
		code: 1,
		printed: { httpStatus: 401, ignored: null },
		said: expect.stringMatching(/^sandbox: Paste /),
	});
	const args = ['--url', 'http://127.0.0.1:9/hook', '--secret', SECRET];
	const unreachable = { code: 1, printed: { httpStatus: null } };
	expect(await run(send, ...args)).toMatchObject(unreachable);
	const { code } = await run(send, ...args, '--body', '/no/such/file');
	expect(code).toContain('cannot read /no/such/file');
});
