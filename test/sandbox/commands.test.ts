import type { CardEvent } from '../../dev/harness/sandboxClient.ts';
import { trigger } from '../../sandbox/cli/trigger.ts';
import { kindOf } from '../../sandbox/events/financialEvent.ts';
import { UsageError } from '../../sandbox/http/errors.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

interface Printed {
	event: CardEvent;
	deliveries: { url: string; httpStatus: number | null }[];
	transaction: { id: string; status: string };
}

/** Simulates an event with the command; gives its exit code, the JSON that it prints, and what it says. */
async function simulate({ url }: TestSandbox, ...args: string[]) {
	const out = jest.spyOn(console, 'log').mockImplementation();
	const error = jest.spyOn(console, 'error').mockImplementation();
	try {
		const code = await trigger([...args, '--sandbox', url]).catch((thrown: unknown) =>
			String(thrown),
		);
		const [[json] = []] = out.mock.calls;
		const printed = (json === undefined ? undefined : JSON.parse(String(json))) as Printed;
		return { code, printed, said: error.mock.calls.flat().join('\n') };
	} finally {
		jest.restoreAllMocks();
	}
}

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
	expect(JSON.parse(delivery?.body ?? '')).toEqual(printed.event);
	const answered = { url: receiver.url, status: 'delivered', attempts: 1, httpStatus: 200 };
	expect(printed.deliveries).toMatchObject([answered]);
});

test('trigger takes what a purchase has', async () => {
	const sandbox = await startSandbox();
	const options = `--card-id ${cardId(3)} --amount 80.00 --currency EUR --merchant-name HOTEL --category lodging --mcc 7011 --merchant-country RO`;
	const { code, said, printed } = await simulate(sandbox, 'purchase', ...options.split(' '));
	const bought = {
		...{ cardId: cardId(3), amount: '80.00', currency: 'EUR', merchantName: 'HOTEL' },
		...{ category: 'lodging', mcc: '7011', merchantCountry: 'RO' },
	};
	expect(printed.event).toMatchObject(bought);
	expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('has no endpoint') });
	const declined = await simulate(sandbox, 'decline', '--reason', 'expired_card');
	expect(declined.printed.event.issues).toMatchObject([{ reason: 'expired_card' }]);
});

test('trigger fails if the platform declines, refuses or does not respond', async () => {
	const sandbox = await startSandbox();
	const declined = await simulate(sandbox, 'clearing', '--card-id', cardId(6));
	expect(declined).toMatchObject({ code: 1, printed: { transaction: { status: 'declined' } } });
	expect(declined.said).toContain('the platform declined the purchase: card_frozen');
	expect(await simulate(sandbox, 'purchase', '--amount', 'x')).toMatchObject({
		code: expect.stringMatching(
			/POST \/sandbox\/simulate\/authorization: HTTP 400: amount: expected an amount/,
		),
		printed: undefined,
	});
	await sandbox.close();
	const { code } = await simulate(sandbox, 'purchase');
	expect(code).toContain(`no sandbox responds at ${sandbox.url}`);
});

test.each<[string[], string]>([
	[[], 'the event must be one of purchase, decline, increment'],
	[['theft'], 'not "theft"'],
	[['purchase', 'refund'], 'one event'],
	[['purchase', '--reason', 'x'], '--reason is for'],
	[['purchase', '--sandbox', 'localhost:4010'], 'start with http://, unlike "localhost:4010"'],
	[['purchase', '--secret', 'x'], "Unknown option '--secret'"],
])('trigger %j is a mistake', async (args, named) => {
	const failure: unknown = await trigger(args).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(UsageError);
	expect(String(failure)).toContain(named);
});
