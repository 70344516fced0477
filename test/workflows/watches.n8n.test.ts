import { startServer } from '../../dev/harness/httpServer.ts';
import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import { cardPlatform, type WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFor, useTestEnvironment } from './environment.ts';
import { textOf } from './mailServer.ts';
import { pollsSoon } from './pollingFile.ts';

const environment = useTestEnvironment();

afterEach(() => environment().n8n.unpublishAll());

/**
 * Publishes a workflow that watches and sends e-mails, polling every three seconds.
 *
 * @returns waits for the first e-mail that contains a string, and gives it with the number of such e-mails
 */
async function publishWatch(name: string, credentials: Record<string, StoredCredential> = {}) {
	const { mails } = environment().mailServer;
	const change = (file: WorkflowFile) => {
		const { nodes, ...rest } = activated(file, 'Send e-mail');
		return { ...rest, nodes: nodes.map(pollsSoon) };
	};
	await importFor(environment(), name, { readOnly: true }, change, credentials);
	return (part: string) =>
		waitUntil(
			() => {
				const found = mails.map(textOf).filter((text) => text.includes(part));
				return Promise.resolve(found[0] && { text: found[0], count: found.length });
			},
			{ what: `an e-mail with "${part}"`, withinMs: 120_000, everyMs: 250 },
		);
}

test('"New settled transactions" tells of each transaction once, when it has settled, with its final amount', async () => {
	const { sandbox, active } = environment().company;
	const [card] = active;
	const authorize = async (merchantName: string) => {
		const purchase = { cardId: card.id, amount: '80.00', merchantName };
		return (await sandbox.authorize(purchase)).event.transactionId;
	};
	await sandbox.simulateStep('clearing', await authorize('Before'));
	const first = await authorize('First');
	const mailWith = await publishWatch('new-settled-transactions.json');
	await sandbox.simulateStep('clearing', first, '79.99');
	await sandbox.simulateStep('reversal', first);
	expect(await mailWith('First')).toEqual({
		text: expect.stringContaining(`Settled: 79.99 USD at First\nCard: ${card.name}`),
		count: 1,
	});
	await sandbox.simulateStep('clearing', await authorize('Second'));
	expect(await mailWith('Second')).toMatchObject({ count: 1 });
	expect(await mailWith('First')).toMatchObject({ count: 1 });
	expect(JSON.stringify(environment().mailServer.mails)).not.toContain('at Before');
});

test('"Tell me when somebody freezes a card" names a card that was frozen', async () => {
	const { api, active } = environment().company;
	const [, card] = active;
	const mailWith = await publishWatch('tell-me-when-somebody-freezes-a-card.json');
	await api.changeCard(card.id, 'freeze');
	expect(await mailWith(card.name)).toEqual({
		text: expect.stringContaining(`Frozen: ${card.name} (${card.lastFour})\nBefore: active`),
		count: 1,
	});
});

// By another API: the sandbox has no payment that is due in some days.
test('"Tell me before a bill is due" tells of a payment that is due in three days', async () => {
	const dayAhead = (days: number) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const payments = [{ id: 'later', amount: '10.00', dueDate: dayAhead(20), status: 'open' }];
	const server = await startServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ data: payments }));
	});
	const api = { baseUrl: server.url, apiKey: 'a-key-of-the-test', readOnly: true };
	const credential = await environment().n8n.addCredential('cardPlatformApi', api);
	const credentials = { [cardPlatform.pollingTrigger]: credential };
	const mailWith = await publishWatch('tell-me-before-a-bill-is-due.json', credentials);
	payments.push({ id: 'soon', amount: '1250.00', dueDate: dayAhead(2), status: 'open' });
	expect(await mailWith('1 250.00')).toEqual({
		text: expect.stringMatching(/^Due \S+: 1 250\.00 \(open\)\nDays until it is due: \d/),
		count: 1,
	});
	await environment().n8n.unpublishAll();
	await server.close();
});
