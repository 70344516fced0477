import { startServer } from '../../dev/harness/httpServer.ts';
import { cardPlatform } from '../../dev/harness/n8n/workflow.ts';
import { useTestEnvironment } from './environment.ts';
import { publishWatch } from './watchFile.ts';

const environment = useTestEnvironment();

const dayAhead = (days: number) =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

// By an API of its own: the sandbox has no payment that is due in some days.
test('"Tell me before a bill is due" tells of a payment that is due in three days', async () => {
	const payments = [{ id: 'later', amount: '10.00', dueDate: dayAhead(20), status: 'open' }];
	const server = await startServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ data: payments }));
	});
	const api = { baseUrl: server.url, apiKey: 'a-key-of-the-test', readOnly: true };
	const credential = await environment().n8n.addCredential('cardPlatformApi', api);
	const file = 'tell-me-before-a-bill-is-due.json';
	const credentials = { [cardPlatform.pollingTrigger]: credential };
	const mailWith = await publishWatch(environment(), file, credentials);
	payments.push({ id: 'soon', amount: '1250.00', dueDate: dayAhead(2), status: 'open' });
	expect(await mailWith('1 250.00')).toEqual({
		text: expect.stringMatching(/^Due \S+: 1 250\.00 \(open\)\nDays until it is due: \d/),
		count: 1,
	});
	await server.close();
});
