import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { requestJson } from '../../dev/harness/tools/json.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFor, pollsSoon, useTestEnvironment } from './environment.ts';

const environment = useTestEnvironment();

afterEach(() => environment().n8n.unpublishAll());

/**
 * Publishes a workflow that watches and sends emails, polling every three seconds.
 *
 * @returns waits for the first email that contains a string, and gives it with the number of such emails
 */
async function publishWatch(name: string) {
	const { mails } = environment().mailServer;
	const change = (file: WorkflowFile) => {
		const { nodes, ...rest } = activated(file, 'Send email');
		return { ...rest, nodes: nodes.map(pollsSoon) };
	};
	await importFor(environment(), name, { readOnly: true }, change);
	return (part: string) =>
		waitUntil(
			() => {
				const found = mails.filter(({ text }) => text.includes(part));
				return Promise.resolve(found[0] && { text: found[0].text, count: found.length });
			},
			{ what: `an email with "${part}"`, withinMs: 120_000, everyMs: 250 },
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

test('"Tell me when a card is frozen" names a card that was frozen', async () => {
	const { api, active } = environment().company;
	const [, card] = active;
	const mailWith = await publishWatch('tell-me-when-a-card-is-frozen.json');
	await api.changeCard(card.id, 'freeze');
	expect(await mailWith(card.name)).toEqual({
		text: expect.stringContaining(`Frozen: ${card.name} (${card.lastFour})\nBefore: active`),
		count: 1,
	});
});

test('"Tell me before a bill is due" tells of a payment that is due in two days', async () => {
	const { sandbox, api, apiKey } = environment().company;
	const dayAhead = (days: number) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const headers = { authorization: `Bearer ${apiKey}` };
	const path = `/payments?from=${dayAhead(4)}&to=${dayAhead(60)}`;
	const { data } = await requestJson<{ data: { id: string }[] }>(api.url + path, { headers });
	const mailWith = await publishWatch('tell-me-before-a-bill-is-due.json');
	const due = `${sandbox.url}/sandbox/payments/${data[0]?.id}/due`;
	await requestJson(due, { method: 'POST', body: { days: 2 } });
	expect(await mailWith('(scheduled)')).toEqual({
		text: expect.stringMatching(/^Due .*: [\d,]+\.\d\d .+ \(scheduled\)\nDays until it is due: \d/),
		count: 1,
	});
});
