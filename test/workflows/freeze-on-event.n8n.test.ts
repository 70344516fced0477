import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import type { Automation } from '../../dev/harness/scenario/automation.ts';
import { executionOf, trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { cardEvent } from '../trigger/events.ts';
import { activated, eventItem, importFile, pollsSoon, useTestEnvironment } from './environment.ts';
import { lines, messagesDuring, timeless } from './messages.ts';

const autoFreeze = 'auto-freeze-on-suspicious-event.json';
const freezeOnDecline = 'freeze-on-decline.json';

const environment = useTestEnvironment();
let automation: Automation;

/** Imports a workflow file for the tests of a `describe`; afterwards no event starts it. */
function useWorkflow(name: string, change?: (file: WorkflowFile) => WorkflowFile): void {
	beforeAll(async () => {
		automation = await importFile(environment(), name, change);
	});
	afterAll(() => environment().n8n.unpublishAll());
}

/** Makes a purchase with a card, and waits for what the workflow does about it. */
const buy = (cardId: string, more: object) => {
	const purchase = { cardId, amount: '20.00', merchantName: 'A & B', merchantCountry: 'US' };
	return trackPurchase({ ...environment().company, ...automation }, { ...purchase, ...more });
};

const decline = { isSuccess: false };
const abroad = { merchantCountry: 'RO' };

describe('"Auto-freeze"', () => {
	useWorkflow(autoFreeze, (file) => {
		const { nodes, ...rest } = activated(file, 'Send email');
		return { ...rest, nodes: nodes.map(pollsSoon) };
	});

	it('freezes a card at its third decline within an hour, and says so', async () => {
		const [card] = environment().company.active;
		const statuses: string[] = [];
		const messages = await messagesDuring(environment(), async () => {
			for (let count = 0; count < 3; count++) {
				const outcome = await buy(card.id, { decline: { reason: 'incorrect_pin' } });
				statuses.push(outcome.card.status);
			}
		});
		expect(statuses).toEqual(['active', 'active', 'frozen']);
		expect(messages.map(timeless)).toEqual([
			lines(
				`Froze ${card.name} (•••• ${card.lastFour})`,
				'Why: 3 or more declines within one hour',
				'Declined: 20.00 USD at A & B (US), incorrect pin',
				'Time: now',
				'If this was a false alarm, unfreeze the card:',
				`http://localhost:4010/dashboard/cards/${card.id}`,
			),
		]);
	});

	it('freezes for the first large step of a purchase, once, though both triggers see all of its steps', async () => {
		const { api, sandbox, account } = environment().company;
		const cardId = await api.createCard('Steps of purchases', account.id);
		const status = async () => (await api.card(cardId)).status;
		const followUp = async (transactionId: string) => {
			for (const [kind, amount] of [['increment', '1100.00'], ['clearing']] as const) {
				const { event } = await sandbox.simulateStep(kind, transactionId, amount);
				const executed = () => executionOf(environment().n8n, automation.workflowId, event.id);
				await waitUntil(executed, { what: `the execution of the ${kind}`, withinMs: 120_000 });
			}
		};
		const messages = await messagesDuring(environment(), async () => {
			const large = await buy(cardId, { amount: '1200.00' });
			expect(large.card.status).toBe('frozen');
			await api.changeCard(cardId, 'unfreeze');
			await followUp(large.event.transactionId);
			expect(await status()).toBe('active');

			const small = await buy(cardId, { amount: '1.00' });
			expect(small.card.status).toBe('active');
			await followUp(small.event.transactionId);
			expect(await status()).toBe('frozen');
		});
		const amounts = messages.map((text) =>
			/of (.*) or more\nApproved: (.*) at/.exec(text)?.slice(1),
		);
		expect(amounts).toEqual([
			['1,000.00', '1,200.00 USD'],
			['1,000.00', '1,100.00 USD'],
		]);
	});

	it('says that a card could not be frozen, and freezes it when the execution is retried, or the event delivered again', async () => {
		const { api, sandbox, active } = environment().company;
		const { n8n, workflowId, webhookUrl, signingSecret } = automation;
		const card = active[1];
		await sandbox.setFaults([{ kind: 'status', status: 403, path: `/cards/${card.id}/freeze` }]);
		const delivery = signedDelivery(cardEvent(card.id, { amount: '1000.00' }), signingSecret);
		const isFrozen = async () => (await api.card(card.id)).status === 'frozen';
		let failed: Execution | undefined;
		const messages = await messagesDuring(environment(), async () => {
			expect(await deliver(webhookUrl, delivery).finally(() => sandbox.setFaults([]))).toBe(500);
			failed = (await n8n.executions(workflowId)).find((each) => each.status === 'error');
			if (failed === undefined) throw new Error('No execution failed');
			await n8n.retry(failed, 'original workflow');
			await waitUntil(isFrozen, { what: 'the card frozen by the retry', withinMs: 30_000 });
			await api.changeCard(card.id, 'unfreeze');
			expect(await deliver(webhookUrl, delivery)).toBe(200);
		});
		expect(messages).toEqual([
			expect.stringMatching(
				/^COULD NOT FREEZE the card [^]*\nFreeze it by hand. What went wrong: [^]+/,
			),
			expect.stringMatching(/^Froze /),
		]);
		expect(failed && outputOf(failed, 'Freeze, or fail').error).toContain('(403 ');
		expect(await isFrozen()).toBe(true);
	});

	it.each([
		['freeze', 'Was frozen before'],
		['archive', 'Nothing to do'],
	] as const)(
		'does nothing about a card after %s by somebody else, so that the event does not come again: %s',
		async (verb, end) => {
			const { api, account } = environment().company;
			const cardId = await api.createCard(`To ${verb}`, account.id);
			await api.changeCard(cardId, verb);
			const items = [eventItem(cardId, { amount: '1000.00' })];
			const messages = await messagesDuring(environment(), async () => {
				const { nodes } = await automation.n8n.run(automation.workflowId, 'Card event', items);
				expect(nodes.at(-1)?.name).toBe(end);
			});
			expect(messages).toEqual([]);
		},
	);
});

describe('"Freeze on suspicious decline"', () => {
	useWorkflow(freezeOnDecline);

	it('freezes the card of a decline abroad, and no other, and tells of no card that was frozen before', async () => {
		const [{ id: cardId }] = environment().company.active;
		await environment().company.api.changeCard(cardId, 'unfreeze');
		const declined = { decline: { reason: 'suspected_fraud' } };
		const atHome = await buy(cardId, declined);
		const end = atHome.execution.nodes.at(-1)?.name;
		expect([end, atHome.card.status]).toEqual(['Nothing to do', 'active']);
		const { execution, card } = await buy(cardId, { ...declined, ...abroad });
		expect([execution.status, card.status]).toEqual(['success', 'frozen']);
		expect(outputOf(execution, 'Frozen').items).toHaveLength(1);
		const [{ text } = { text: '' }] = outputOf(execution, 'What happened').items as {
			text: string;
		}[];
		expect(timeless(text)).toBe(
			lines(
				`Froze ${card.name} (•••• ${card.lastFour})`,
				'Declined: 20.00 USD at A & B (RO), suspected fraud',
				'Time: now',
			),
		);
		const again = await buy(cardId, { ...declined, ...abroad });
		expect(again.execution.nodes.at(-1)?.name).toBe('Was frozen before');
	});
});

const large = { amount: '500.00' };
const because = (...reasons: string[]) => ({ issues: reasons.map((reason) => ({ reason })) });
const [unfunded, overLimit] = [because('insufficient_funds'), because('card_limit_exceeded')];
const twoReasons = because('suspected_fraud', 'insufficient_funds');

describe.each<[string, string, [string, object, boolean][]]>([
	[
		autoFreeze,
		'Card event',
		[
			['an approved purchase just below 1000', { amount: '999.99' }, false],
			['an approved purchase of 99, which is a larger string', { amount: '99.00' }, false],
			['a large decline at home', { ...decline, amount: '1000.00' }, false],
			['a decline at home in lower case', { ...decline, merchantCountry: 'us' }, false],
			['an approved purchase abroad', abroad, false],
			['a large reversal', { amount: '5000.00', isReversal: true }, false],
			['a large refund', { amount: '5000.00', amountDirection: 'credit' }, false],
			['hardly any fields', { isSuccess: undefined, amount: undefined }, false],
			['a decline abroad', { ...decline, ...abroad }, true],
			['a decline in an unknown country', { ...decline, merchantCountry: undefined }, true],
			['a large purchase', { amount: '1000.00' }, true],
			['a far larger purchase', { amount: '20000.00' }, true],
		],
	],
	[
		freezeOnDecline,
		'Declined purchase',
		[
			['a decline at home for 499.99', { ...decline, amount: '499.99' }, false],
			['a decline at home for 500.00', { ...decline, ...large }, true],
			['a decline for 99.00, which is a larger string', { ...decline, amount: '99.00' }, false],
			['a decline at home, in lower case', { ...decline, merchantCountry: 'us' }, false],
			['a decline in an unknown country', { ...decline, merchantCountry: undefined }, true],
			['a decline at home for an unknown amount', { ...decline, amount: undefined }, false],
			['a decline at home for lack of funds', { ...decline, ...large, ...unfunded }, false],
			['a decline at home over the limit', { ...decline, ...large, ...overLimit }, false],
			['a decline at home for two reasons', { ...decline, ...large, ...twoReasons }, true],
			['a decline abroad for lack of funds', { ...decline, ...abroad, ...unfunded }, true],
		],
	],
])('workflows/%s decides', (file, trigger, rows) => {
	useWorkflow(file);
	let cardId: string;
	beforeAll(async () => {
		const { api, account } = environment().company;
		cardId = await api.createCard(`For ${file}`, account.id);
	});

	test.each(rows)('after %s, %j, whether to freeze: %s', async (_, changes, freezes) => {
		const items = [eventItem(cardId, changes)];
		const { nodes } = await automation.n8n.run(automation.workflowId, trigger, items);
		expect(nodes.some(({ name }) => name === 'Freeze the card')).toBe(freezes);
	});
});
