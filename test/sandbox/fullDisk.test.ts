import { eventually } from '../../harness/tools/waiting.ts';
import { SandboxClient, SandboxError } from '../../sandbox/client.ts';
import { runCliOnFullDisk, temporaryFile } from './support/cli.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const purchase = { cardId: cardId(3), amount: '0.01' };

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
	try {
		for (;;) await work();
	} catch (error) {
		return error;
	}
}

test('on a full disk requests fail, deliveries stay pending, and the sandbox keeps running', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const first = await startSandbox({ db: file });
	const held: (() => void)[] = [];
	let isHeld = true;
	const receiver = await startReceiver((response) => {
		if (isHeld) held.push(() => response.end());
		else response.end();
	});
	await first.client.subscribe(1001, receiver.url);
	await first.close();

	const cli = runCliOnFullDisk(400, '--port', '0', '--db', file);
	const url = await cli.url();
	const client = new SandboxClient(url);
	await client.authorize(purchase);
	await receiver.waitFor(1);
	const error = await failureOf(() => client.authorize(purchase));
	expect(error).toBeInstanceOf(SandboxError);
	expect(error).toMatchObject({
		status: 500,
		message: expect.stringMatching(
			/The sandbox cannot use its database: the disk could not be (read or )?written/,
		),
	});
	// Until there is no room for the smallest write: an attempt takes less than a purchase.
	let webhooks = true;
	await failureOf(() => client.setFeatures(1002, { webhooks: (webhooks = !webhooks) }));
	// Reading works.
	const { counts } = await client.overview();
	expect(counts.deliveries).toBeGreaterThan(0);

	isHeld = false;
	for (const respond of held) respond();
	await eventually(() => expect(cli.output().stderr).not.toBe(''));
	await expect(client.authorize(purchase)).rejects.toThrow('HTTP 500');
	expect((await client.deliveries()).map(({ status }) => status)).toContain('pending');
	cli.process.kill('SIGTERM');
	expect(await cli.ended).toBe(0);
	expect(cli.output().stderr).toMatch(
		/^sandbox: webhook deliveries are paused, as they cannot be recorded: the disk could not .*\n$/,
	);

	const second = await startSandbox({ db: file });
	await eventually(async () => {
		const log = await second.client.deliveries();
		expect(log).toHaveLength(counts.deliveries);
		expect(log.filter(({ status }) => status !== 'delivered')).toEqual([]);
	});
	const ids = receiver.received.map(({ headers }) => headers['x-webhook-event-id']);
	expect(new Set(ids).size).toBe(counts.deliveries);
});

test('a start on a full disk fails with a one-line message', async () => {
	const cli = runCliOnFullDisk(1, '--port', '0', '--db', temporaryFile('sandbox.sqlite'));
	expect(await cli.ended).toBe(1);
	expect(cli.output()).toEqual({
		stdout: '',
		stderr: expect.stringMatching(
			/^sandbox: cannot use the database file .+: the disk could not .+\n$/,
		),
	});
});
