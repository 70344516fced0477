import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { usePolling } from './pollingEnvironment.ts';
import { runsOf } from './ran.ts';

const polling = usePolling();
const { n8n, sandbox, newWorkflow, publish, purchase, twoMorePolls } = polling;

/** The available credit. */
async function available(): Promise<number> {
	const { api, apiKey } = polling.company();
	const headers = { authorization: `Bearer ${apiKey}` };
	const balance: unknown = await (await fetch(`${api.url}/balance`, { headers })).json();
	return Number((balance as { availableCreditLimit: string }).availableCreditLimit);
}

test('watches go on after a crash: what changed while n8n was down runs once', async () => {
	await sandbox().setClock(new Date());
	const threshold = Math.floor(await available()) - 50;
	const watches = {
		transactions: { watch: 'transactions' },
		cards: { watch: 'cards', cardChanges: ['frozen', 'active'] },
		balance: { watch: 'balance', threshold: String(threshold) },
	};
	const ids = new Map<string, string>();
	for (const [name, watch] of Object.entries(watches))
		ids.set(name, await publish(newWorkflow('polling', [], {}, watch)));

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
	await api.changeCard(card, 'freeze');
	expect(await last(1)).toMatchObject({
		transactions: { id: before.id, status: 'settled' },
		cards: { id: card, status: 'frozen' },
		balance: { summary: expect.stringMatching(/^Available Credit is .*, below /) },
	});
	await sandbox().simulateStep('reversal', before.large);
	// The second stores, without items, that the credit is back.
	await n8n().waitForExecutions(ids.get('balance') ?? '', 2);

	await n8n().kill();
	const after = await spend();
	await api.changeCard(card, 'unfreeze');
	await n8n().start();
	expect(await last(2)).toMatchObject({
		transactions: { id: after.id },
		cards: { id: card, status: 'active', previousStatus: 'frozen' },
		balance: { threshold: `${threshold}.00` },
	});
	// Polls of all three triggers.
	for (let more = 0; more < 3; more++) await twoMorePolls();
	for (const name of ids.keys()) expect([name, (await ran(name)).length]).toEqual([name, 2]);
});
