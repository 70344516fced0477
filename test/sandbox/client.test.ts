import { z } from 'zod/v4';

import { SandboxClient, SandboxError } from '../../sandbox/client.ts';
import { startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

test('a response that is not 2xx is an error with its status, the request and the sandbox’s message', async () => {
	const sandbox = await startSandbox();
	const purchase = { cardId: UNKNOWN_ID, amount: '1.00' };
	const { body } = await sandbox.control('POST', '/simulate/authorization', purchase);
	const { message } = z.object({ message: z.string().min(1) }).parse(body);
	const error = await sandbox.client.authorize(purchase).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(SandboxError);
	expect(error).toMatchObject({
		status: 404,
		message: `POST /sandbox/simulate/authorization: HTTP 404: ${message}`,
	});
});

test('after an abort only unsubscribing still works', async () => {
	const sandbox = await startSandbox();
	const interruption = new AbortController();
	const client = new SandboxClient(sandbox.url, interruption.signal);
	const subscription = await client.subscribe(1001, 'http://127.0.0.1:9/');
	interruption.abort();
	await expect(client.authorize({ cardId: UNKNOWN_ID, amount: '1.00' })).rejects.toThrow(/abort/);
	await client.unsubscribe(subscription);
	expect((await sandbox.client.overview()).counts).toMatchObject({ endpoints: 0, events: 47 });
});
