import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { usePolling } from './pollingEnvironment.ts';
import { runsOf } from './ran.ts';

const polling = usePolling();
const { n8n, sandbox, newWorkflow, publish, purchase, twoMorePolls } = polling;

async function get(path: string): Promise<unknown> {
	const { api, apiKey } = polling.company();
	const headers = { authorization: `Bearer ${apiKey}` };
	return await (await fetch(`${api.url}${path}`, { headers })).json();
}

/** The available credit. */
const available = async () =>
	Number(((await get('/balance')) as { availableCreditLimit: string }).availableCreditLimit);

/** The ID of the next bill. */
async function nextBill(): Promise<string> {
	const [from, to] = [1, 60].map((days) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
	);
	const { data } = (await get(`/payments?from=${from}&to=${to}`)) as {
		data: { id: string; status: string }[];
	};
	return data.find(({ status }) => status === 'scheduled')?.id ?? 'none';
}

/** Lets the sandbox change a payment. */
async function change(id: string, what: string, body: object): Promise<void> {
	const request = { method: 'POST', body: JSON.stringify(body) };
	const response = await fetch(`${sandbox().url}/sandbox/payments/${id}/${what}`, request);
	expect(response.status).toBe(200);
}

test('watches go on after a crash: what changed while n8n was down runs once', async () => {
	await sandbox().setClock(new Date());
	const threshold = Math.floor(await available()) - 50;
	const watches = {
		transactions: { watch: 'transactions' },
		cards: { watch: 'cards', cardChanges: ['frozen', 'active'] },
		balance: { watch: 'balance', threshold: String(threshold) },
		payments: { watch: 'payments', paymentChanges: ['due', 'statusChanged'] },
	};
	const ids = new Map<string, string>();
	for (const [name, watch] of Object.entries(watches))
		ids.set(name, await publish(newWorkflow('polling', [], watch)));

	const ran = async (name: string) =>
		runsOf(await n8n().executions(ids.get(name) ?? '')).flat() as Record<string, unknown>[];
	/** Waits until each watch has run this often; gives what ran last. */
	const last = async (count: number) => {
		const items: Record<string, Record<string, unknown>> = {};
		for (const name of ids.keys())
			items[name] = await waitUntil(async () => (await ran(name)).slice(count - 1)[0], {
				what: `change ${count} of ${name}`,
				withinMs: 120_000,
				everyMs: 500,
			});
		return items;
	};

	const card = polling.cards()[2]?.id ?? '';
	const { api } = polling.company();
	/** Settles a purchase, and spends more than the threshold leaves. */
	const spend = async () => {
		const settled = await purchase(0, { amount: '10.00' });
		await sandbox().simulateStep('clearing', settled.transaction.id);
		const large = await purchase(1, { amount: '60.00' });
		return { id: settled.transaction.id, large: large.transaction.id };
	};
	const before = await spend();
	const bill = await nextBill();
	await change(bill, 'due', { days: 2 });
	await api.changeCard(card, 'freeze');
	expect(await last(1)).toMatchObject({
		transactions: { id: before.id, status: 'settled' },
		cards: { id: card, status: 'frozen' },
		balance: { summary: expect.stringMatching(/^Available Credit is .*, below /) },
		payments: { id: bill, status: 'scheduled' },
	});
	await sandbox().simulateStep('reversal', before.large);
	// The second stores, without items, that the credit is back.
	await n8n().waitForExecutions(ids.get('balance') ?? '', 2);

	await n8n().kill();
	const after = await spend();
	await change(bill, 'fail', {});
	await api.changeCard(card, 'unfreeze');
	await n8n().start();
	expect(await last(2)).toMatchObject({
		transactions: { id: after.id },
		cards: { id: card, status: 'active', previousStatus: 'frozen' },
		balance: { threshold: `${threshold}.00` },
		payments: { id: bill, status: 'failed', previousStatus: 'scheduled' },
	});
	// Polls of all triggers.
	for (let more = 0; more < 4; more++) await twoMorePolls();
	for (const name of ids.keys()) expect([name, (await ran(name)).length]).toEqual([name, 2]);
});
