import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { sign } from '../../dev/harness/signing.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { runCli, temporaryFile } from './support/cli.ts';
import {
	startDelivering,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

const idIn = (headers: IncomingHttpHeaders) => String(headers['x-webhook-event-id']);

test('no confirmed authorization is lost when the sandbox is killed, and what was in flight is sent again', async () => {
	const file = temporaryFile('sandbox.sqlite');
	let isKilled = false;
	const receiver = await startReceiver((response) => isKilled && response.end());
	const cli = runCli('--port', '0', '--db', file);
	const client = new SandboxClient(await cli.url());
	const { signingSecret } = await client.subscribe(1001, receiver.url);

	const confirmed: string[] = [];
	const buyer = async (): Promise<void> => {
		for (;;) {
			confirmed.push((await client.authorize({ cardId: CARD, amount: '1.00' })).event.id);
			if (confirmed.length < 40 || isKilled) continue;
			await receiver.waitFor(1);
			cli.process.kill('SIGKILL');
			isKilled = true;
		}
	};
	const buyers = await Promise.allSettled([buyer(), buyer(), buyer(), buyer()]);
	expect(buyers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
	expect(await cli.ended).toBe('SIGKILL');
	const inFlight = receiver.received.splice(0);

	const sandbox = await startSandbox({ db: file });
	await receiver.waitFor(confirmed.length);
	const log = await eventually(async () => {
		const deliveries = await sandbox.client.deliveries();
		expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
		return deliveries;
	});
	const { body } = await sandbox.api('GET', `/transactions?cardId=${CARD}&pageSize=100`);
	// The seed has 8 without a delivery.
	expect(body).toMatchObject({ totalItemCount: log.length + 8 });
	const sent = new Map(receiver.received.map(({ headers, body: bytes }) => [idIn(headers), bytes]));
	expect(confirmed.filter((id) => !sent.has(id))).toEqual([]);
	for (const { headers, body: bytes } of inFlight) {
		expect(sent.get(idIn(headers))).toEqual(bytes);
	}
	for (const { headers, body: bytes } of receiver.received) {
		expect(headers['x-webhook-signature']).toBe(sign(bytes, signingSecret));
	}
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
