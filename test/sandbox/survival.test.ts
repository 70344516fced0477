import { once } from 'node:events';
import { connect } from 'node:net';

import { z } from 'zod/v4';

import { sign } from '../../dev/harness/signing.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { runCli, temporaryFile } from './support/cli.ts';
import {
	startDelivering,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

test('a delivery that a killed sandbox had in flight is sent by the next one', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const receiver = await startReceiver((response, index) => {
		if (index > 0) response.end();
	});
	const cli = runCli('--port', '0', '--db', file);
	const client = new SandboxClient(await cli.url());
	const { signingSecret } = await client.subscribe(1001, receiver.url);
	const { event } = await client.authorize({ cardId: CARD, amount: '9.99' });
	await receiver.waitFor(1);
	cli.process.kill('SIGKILL');
	expect(await cli.ended).toBe('SIGKILL');

	const sandbox = await startSandbox({ db: file });
	await waitForDeliveries(sandbox, [{ status: 'delivered' }]);
	const [before, after] = receiver.received;
	expect(after?.body).toEqual(before?.body);
	expect(after?.headers['x-webhook-event-id']).toBe(event.id);
	expect(after?.headers['x-webhook-signature']).toBe(
		sign(after?.body ?? Buffer.alloc(0), signingSecret),
	);
});

test('no confirmed authorization is lost when the sandbox is killed', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const receiver = await startReceiver();
	const cli = runCli('--port', '0', '--db', file);
	const client = new SandboxClient(await cli.url());
	await client.subscribe(1001, receiver.url);

	const answered: string[] = [];
	const buyer = async (): Promise<void> => {
		for (;;) {
			answered.push((await client.authorize({ cardId: CARD, amount: '1.00' })).event.id);
			if (answered.length === 40) cli.process.kill('SIGKILL');
		}
	};
	const buyers = await Promise.allSettled([buyer(), buyer(), buyer(), buyer()]);
	expect(buyers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
	await cli.ended;

	const sandbox = await startSandbox({ db: file });
	await receiver.waitFor(answered.length);
	await eventually(async () => {
		const log = await sandbox.client.deliveries();
		expect(log.filter(({ status }) => status !== 'delivered')).toEqual([]);
		expect(log.length).toBeGreaterThanOrEqual(answered.length);
	});
	const arrived = new Set(receiver.received.map(({ headers }) => headers['x-webhook-event-id']));
	expect(answered.filter((id) => !arrived.has(id))).toEqual([]);
	const { body } = await sandbox.api('GET', `/transactions?cardId=${CARD}&pageSize=100`);
	const { totalItemCount } = z.object({ totalItemCount: z.number() }).parse(body);
	expect((await sandbox.client.deliveries()).length).toBe(totalItemCount - 8);
});

test('a restart does not wait for the end of a long back-off', async () => {
	const options = { db: temporaryFile('sandbox.sqlite'), deliveries: { baseDelay: 3_600_000 } };
	const receiver = await startReceiver(withStatuses(500, 200));
	const { sandbox: first, buy } = await startDelivering(receiver, options);
	await buy();
	await waitForDeliveries(first, [{ attempts: [{ httpStatus: 500 }] }]);
	await first.close();

	const second = await startSandbox(options);
	await waitForDeliveries(second, [
		{ status: 'delivered', attempts: [{ httpStatus: 500 }, { httpStatus: 200 }] },
	]);
});

test('SIGTERM ends the sandbox although a receiver never responds', async () => {
	const cli = runCli('--port', '0');
	const client = new SandboxClient(await cli.url());
	const receiver = await startReceiver(() => undefined);
	await client.subscribe(1001, receiver.url);
	await client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	cli.process.kill('SIGTERM');
	expect(await cli.ended).toBe(0);
	expect(cli.output().stderr).toBe('');
});

test('closing does not wait for a client that keeps its connection open', async () => {
	const sandbox = await startSandbox();
	const client = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
	client.on('error', () => undefined);
	const ended = once(client, 'close');
	client.write('GET /v1/public/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /half');
	await once(client, 'data');
	await sandbox.close();
	await ended;
});
