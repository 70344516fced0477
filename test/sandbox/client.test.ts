import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

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
