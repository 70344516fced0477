import { eventually } from '../../harness/tools/waiting.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { runCli, temporaryFile } from './support/cli.ts';
import { startHoldingReceiver, startReceiver, waitForDeliveries } from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const purchase = { cardId: cardId(3), amount: '1.00' };

test('a delivery in flight finishes when the sandbox closes, and is recorded', async () => {
	const file = temporaryFile('sandbox.sqlite');
	// Long enough that only the response can end the wait.
	const sandbox = await startSandbox({ db: file, deliveries: { closeTimeout: 120_000 } });
	const receiver = await startHoldingReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize(purchase);
	await receiver.waitFor(1);
	const closed = sandbox.close();
	await eventually(() => expect(fetch(sandbox.url)).rejects.toThrow('fetch failed'));
	receiver.respond(200, 'in time');
	await closed;

	const again = await startSandbox({ db: file });
	expect(await again.client.deliveries()).toMatchObject([
		{ status: 'delivered', attempts: [{ httpStatus: 200, responseBody: 'in time' }] },
	]);
	expect(receiver.received).toHaveLength(1);
});

test('nothing new is sent while the sandbox closes', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const sandbox = await startSandbox({
		db: file,
		deliveries: { closeTimeout: 120_000, concurrencyPerEndpoint: 1 },
	});
	const receiver = await startHoldingReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize(purchase);
	await sandbox.client.authorize(purchase);
	await receiver.waitFor(1);
	const closed = sandbox.close();
	receiver.respond();
	await closed;
	expect(receiver.received).toHaveLength(1);
});

test('a delivery that does not finish in time is dropped and stays pending', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const sandbox = await startSandbox({ db: file, deliveries: { closeTimeout: 1 } });
	const receiver = await startReceiver((response, index) => {
		if (index > 0) response.end();
	});
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize(purchase);
	await receiver.waitFor(1);
	await sandbox.close();

	const again = await startSandbox({ db: file });
	await waitForDeliveries(again, [{ status: 'delivered', attempts: [{ httpStatus: 200 }] }]);
});

test.each([
	['SIGTERM', 'SIGTERM'],
	['SIGTERM', 'SIGINT'],
	['SIGINT', 'SIGTERM'],
] as const)('a %s waits for a delivery, a %s after it does not', async (first, second) => {
	const cli = runCli('--port', '0');
	const client = new SandboxClient(await cli.url());
	const receiver = await startReceiver(() => undefined);
	await client.subscribe(1001, receiver.url);
	await client.authorize(purchase);
	await receiver.waitFor(1);
	cli.process.kill(first);
	await eventually(() => expect(fetch(client.url)).rejects.toThrow('fetch failed'));
	cli.process.kill(second);
	expect(await cli.ended).toBe(second);
});

test('SIGTERM ends the sandbox although a receiver never responds', async () => {
	const cli = runCli('--port', '0');
	const client = new SandboxClient(await cli.url());
	const receiver = await startReceiver(() => undefined);
	await client.subscribe(1001, receiver.url);
	await client.authorize(purchase);
	await receiver.waitFor(1);
	cli.process.kill('SIGTERM');
	expect(await cli.ended).toBe(0);
	expect(cli.output().stderr).toBe('');
});
