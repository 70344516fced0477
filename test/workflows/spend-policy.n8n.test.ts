import type { DataTable } from '../../harness/n8n/client.ts';
import type { Card } from '../../harness/publicApi.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { cardEvent, execute } from '../trigger/events.ts';
import { importSubscribed, useTestEnvironment } from './environment.ts';
import { lines, slackMessagesDuring } from './slackMessages.ts';
import { policyTable, withRules } from './spendPolicy.ts';

const environment = useTestEnvironment();

const trigger = 'Every day at 07:00';
const reminder = 'Correct the table of rules, or check this by hand:';
const unknownCard = '00000000-0000-4000-8000-000000000000';

/** "Spend policy" as a person has it who has imported a table of rules and activated Slack. */
interface SpendPolicy {
	automation: Automation;
	table: DataTable;
}

async function importSpendPolicy(name: string, csv: string): Promise<SpendPolicy> {
	const { file, table } = await withRules(environment().n8n, name, csv);
	return { automation: await importSubscribed(environment(), file), table };
}

const title = ({ name, lastFour }: Card) => `${name} (…${lastFour})`;

// Tests "Spend policy": the table that comes with it, every column, and cells that cannot be read.
describe('"Spend policy"', () => {
	let policy: SpendPolicy;

	beforeAll(async () => {
		policy = await importSpendPolicy('Spend policy', await policyTable());
	}, 400_000);

	/** Sends an event of a card that is active; gives the execution, the messages and the card afterwards. */
	const after = async (
		changes: object,
		{ card = environment().company.active[0], own = policy } = {},
	) => {
		const { api } = environment().company;
		await api.unfreeze(card.id);
		let status = '';
		const messages = await slackMessagesDuring(environment(), async () => {
			({ status } = await execute(own.automation, cardEvent(card.id, changes)));
		});
		return { status, messages, card: (await api.card(card.id)).status };
	};

	const rules = (...rows: object[]) => environment().n8n.replaceRows(policy.table, rows);

	describe('with the table that comes with it', () => {
		it('reports a purchase once: not its clearing, and no purchase that keeps to the rules', async () => {
			const { company, internet } = environment();
			const [card] = company.active;
			const before = (await internet.slackMessages()).length;
			const buy = (amount: string) =>
				trackPurchase(
					{ ...company, ...policy.automation },
					{ cardId: card.id, amount, merchantName: 'Elektronik Outlet', merchantCountry: 'RO' },
				);
			const { event, card: afterwards } = await buy('1000.01');
			const { event: clearing } = await company.sandbox.simulateStep(
				'clearing',
				event.transactionId,
			);
			const ran = () => environment().n8n.executions(policy.automation.workflowId);
			await waitUntil(async () => JSON.stringify(await ran()).includes(clearing.id) || undefined, {
				what: 'the execution of the clearing',
				withinMs: 60_000,
			});
			const second = { merchantCountry: 'US', amount: '1000.00' };
			expect(await after(second)).toEqual({ status: 'success', messages: [], card: 'active' });
			expect(afterwards.status).toBe('active');
			const messages = (await internet.slackMessages()).slice(before);
			expect(messages.map(({ text }) => text)).toEqual([
				lines(
					`The card ${title(card)} broke the spend policy`,
					'Rule "Only at home" is broken: the merchant is in RO, and allowed are US, CA.',
					'Rule "Every purchase" is broken: 1000.01 is more than 1000.00.',
					'Approved: 1000.01 USD at Elektronik Outlet (RO)',
				),
			]);
		});

		it('freezes a card at its third decline within an hour', async () => {
			const { company } = environment();
			const card = company.active[1];
			await company.api.unfreeze(card.id);
			const decline = () =>
				trackPurchase(
					{ ...company, ...policy.automation },
					{
						cardId: card.id,
						amount: '5.00',
						merchantName: 'Corner Bakery',
						merchantCountry: 'US',
						decline: { reason: 'incorrect_pin' },
					},
				);
			const statuses: string[] = [];
			const messages = await slackMessagesDuring(environment(), async () => {
				for (let count = 0; count < 3; count++) statuses.push((await decline()).card.status);
			});
			expect(statuses).toEqual(['active', 'active', 'frozen']);
			expect(messages).toEqual([
				lines(
					`Froze the card ${title(card)}`,
					'Rule "Several declines" is broken: 3 declines within one hour.',
					'Declined: 5.00 USD at Corner Bakery (US)',
				),
			]);
		});

		it('finds no mistake in it in the morning', async () => {
			const { n8n } = environment();
			const messages = await slackMessagesDuring(environment(), async () => {
				const { status } = await n8n.run(policy.automation.workflowId, trigger);
				expect(status).toBe('success');
			});
			expect(messages).toEqual([]);
		});
	});

	it('still reports when the history of reports is full', async () => {
		const { n8n, company } = environment();
		const { file, table } = await withRules(n8n, 'Full history', await policyTable());
		const parameters = {
			operation: 'removeItemsSeenInPreviousExecutions',
			dedupeValue: '={{ $json.once }}',
			options: { historySize: 1 },
		};
		const nodes = file.nodes.map((node) =>
			node.name === 'Report once' ? { ...node, parameters } : node,
		);
		const automation = await importSubscribed(environment(), { ...file, nodes });
		await company.sandbox.unsubscribe({ id: automation.endpointId });
		const purchase = { merchantCountry: 'RO', amount: '1000.01' };
		const { status, messages } = await after(purchase, { own: { automation, table } });
		expect([status, messages.length]).toEqual(['success', 1]);
	});

	describe('with rules that finance has changed', () => {
		beforeAll(async () => {
			const { sandbox } = environment().company;
			await sandbox.unsubscribe({ id: policy.automation.endpointId });
		});

		const one = { rule: 'One', action: 'freeze' };
		const huge = '9007199254740993.00';

		it.each([
			['an amount above the maximum', { maximum_amount: '99.9' }, { amount: '99.91' }, 'frozen'],
			['the maximum itself', { maximum_amount: '99.9' }, { amount: '99.90' }, 'nothing'],
			[
				'a digit that a float cannot hold',
				{ maximum_amount: huge },
				{ amount: '9007199254740993.01' },
				'frozen',
			],
			[
				'a country that is not allowed',
				{ allowed_countries: 'us; CA' },
				{ merchantCountry: 'RO' },
				'frozen',
			],
			['a country that is allowed', { allowed_countries: 'RO,us' }, {}, 'nothing'],
			[
				'an unknown country',
				{ allowed_countries: 'RO' },
				{ merchantCountry: undefined },
				'nothing',
			],
			['a blocked merchant', { blocked_merchants: 'casino, BAKERY' }, {}, 'frozen'],
			['another merchant', { blocked_merchants: 'casino' }, {}, 'nothing'],
			[
				'a merchant without a name',
				{ blocked_merchants: 'casino' },
				{ merchantName: undefined },
				'nothing',
			],
			[
				'a decline where none is allowed',
				{ declines_per_hour: '1' },
				{ isSuccess: false, createdAt: undefined },
				'frozen',
			],
			[
				'an approved purchase where no decline is allowed',
				{ declines_per_hour: '1' },
				{},
				'nothing',
			],
			[
				'the category',
				{ category: 'Fuel & Gas', maximum_amount: '1' },
				{ category: 'fuel_and_gas' },
				'frozen',
			],
			[
				'another category',
				{ category: 'Fuel & Gas', maximum_amount: '1' },
				{ category: 'fuel' },
				'nothing',
			],
			['no category', { category: 'Fuel & Gas', maximum_amount: '1' }, {}, 'nothing'],
			['a rule that only alerts', { maximum_amount: '1', action: 'alert' }, {}, 'alert'],
			['a rule without an action', { maximum_amount: '1', action: null }, {}, 'alert'],
			['a row that is switched off', { rule: '# One', maximum_amount: '1' }, {}, 'nothing'],
		])('%s', async (_, cells, changes, outcome) => {
			await rules({ ...one, ...cells }, { rule: 'Other', blocked_merchants: 'nobody' });
			const result = await after(changes);
			const card = outcome === 'frozen' ? 'frozen' : 'active';
			expect(result).toMatchObject({ status: 'success', card });
			expect(result.messages).toHaveLength(outcome === 'nothing' ? 0 : 1);
		});

		it.each(['name', 'lastFour', 'id'] as const)(
			'applies to the card with that %s only',
			async (field) => {
				const [card, other] = environment().company.active;
				await rules({ ...one, card: card[field], maximum_amount: '1.00' });
				expect((await after({}, { card: other })).card).toBe('active');
				expect((await after({}, { card })).card).toBe('frozen');
			},
		);

		it('freezes for one of several rules, and names all that are broken', async () => {
			const [card] = environment().company.active;
			await rules(
				{ ...one, blocked_merchants: 'bakery', maximum_amount: '10' },
				{ rule: 'Two', allowed_countries: 'DE', action: 'alert' },
				{ rule: 'Three', maximum_amount: '100', action: 'freeze' },
			);
			expect((await after({ merchantName: 'Bakery <!channel>' })).messages).toEqual([
				lines(
					`Froze the card ${title(card)}`,
					'Rule "One" is broken: 12.30 is more than 10; the merchant "bakery" is blocked.',
					'Rule "Two" is broken: the merchant is in US, and allowed are DE.',
					'Approved: 12.30 USD at Bakery &lt;!channel&gt; (US)',
				),
			]);
		});

		it.each([
			...['1.000,00', '1,000.00', '1.000', '-5', '1e3', '100 USD', 'ten'].map(
				(value) => ['maximum_amount', value, 'an amount such as 1000.00'] as const,
			),
			['allowed_countries', 'Germany', 'a country code such as US'] as const,
			...['2.5', '0', 'three'].map(
				(value) => ['declines_per_hour', value, 'a whole number such as 3'] as const,
			),
			['allowed_countries', ',', 'a country code such as US'] as const,
			['action', 'frezee', '"alert" or "freeze"'] as const,
		])(
			'reports that %s is "%s", and still carries out the other rules',
			async (column, value, expected) => {
				const [card] = environment().company.active;
				const wrong = { rule: 'Wrong', maximum_amount: '500', [column]: value };
				await rules(wrong, { ...one, maximum_amount: '10' });
				const mistake = `Rule "Wrong": "${value}" in ${column} is not ${expected}.`;
				expect(await after({})).toEqual({
					status: 'error',
					card: 'frozen',
					messages: [
						lines(
							`Froze the card ${title(card)}`,
							'Rule "One" is broken: 12.30 is more than 10.',
							'Approved: 12.30 USD at Corner Bakery (US)',
							reminder,
							mistake,
						),
					],
				});
				await rules(wrong);
				const alone = await after({});
				expect(alone).toMatchObject({ status: 'error', card: 'active' });
				expect(alone.messages).toEqual([
					lines(
						'The spend policy could not be checked',
						'Approved: 12.30 USD at Corner Bakery (US)',
						reminder,
						mistake,
					),
				]);
			},
		);

		it.each(['-', 'Еда', 'restaurants, lodging'])(
			'reports that "%s" is not one category, and does not apply the rule to every purchase',
			async (category) => {
				await rules({ ...one, category, maximum_amount: '1' });
				const { status, card, messages } = await after({ category: 'restaurants' });
				expect([status, card]).toEqual(['error', 'active']);
				expect(messages[0]).toContain(`Rule "One": "${category}" is not one category.`);
			},
		);

		it('reports that declines could not be counted for an event with a malformed time', async () => {
			await rules({ ...one, declines_per_hour: '1' });
			const { status, messages } = await after({ isSuccess: false, createdAt: 'yesterday' });
			expect(status).toBe('error');
			expect(messages[0]).toContain('Rule "One": the declines of the card could not be counted.');
		});

		it('reports no mistake of a rule that does not apply', async () => {
			const [, other] = environment().company.active;
			await rules({ ...one, card: other.name, maximum_amount: 'ten' });
			expect(await after({})).toEqual({ status: 'success', messages: [], card: 'active' });
		});

		it('reports a purchase whose amount cannot be read, and a rule that limits nothing', async () => {
			await rules({ ...one, maximum_amount: '10' }, { rule: 'Two', action: 'freeze' });
			const { status, messages } = await after({ amount: '12,30' });
			expect(status).toBe('error');
			expect(messages[0]).toContain(
				'Rule "One": the amount of the purchase, "12,30", cannot be read.',
			);
			expect(messages[0]).toContain('Rule "Two": it limits nothing.');
		});

		it('reports an empty table', async () => {
			await rules();
			const { status, messages } = await after({});
			expect([status, messages[0]]).toEqual([
				'error',
				expect.stringContaining('The table has no rules.'),
			]);
		});

		it('reports that a card could be neither looked up nor frozen', async () => {
			await rules(
				{ ...one, maximum_amount: '10' },
				{ rule: 'Two', card: 'Travel', maximum_amount: '20' },
				{ rule: 'Three', declines_per_hour: '2' },
			);
			const event = cardEvent(unknownCard, { isSuccess: false });
			const messages = await slackMessagesDuring(environment(), async () => {
				expect((await execute(policy.automation, event)).status).toBe('error');
			});
			expect(messages).toHaveLength(1);
			expect(messages[0]).toMatch(
				/^COULD NOT FREEZE the card 0{8}-.*Freeze it by hand. Reason: .*not found/i,
			);
			expect(messages[0]).toContain('so it is unknown whether it is "Travel"');
			expect(messages[0]).toContain('Rule "Three": the declines of the card could not be counted.');
		});

		it('does nothing for an event that arrives twice', async () => {
			const { webhookUrl, signingSecret } = policy.automation;
			await rules({ ...one, maximum_amount: '10' });
			const event = cardEvent(environment().company.active[0].id);
			const messages = await slackMessagesDuring(environment(), async () => {
				await execute(policy.automation, event);
				expect(await deliver(webhookUrl, signedDelivery(event, signingSecret))).toBe(200);
				// Its execution shows that n8n is done with what came before.
				await after({ amount: '1.00' });
			});
			expect(messages).toHaveLength(1);
		});

		it('finds the mistakes of the table in the morning, also a card that does not exist', async () => {
			const [card] = environment().company.active;
			await rules(
				{ rule: 'Good', card: card.name, category: 'restaurants', maximum_amount: '10' },
				{ rule: 'Amount', maximum_amount: '1.000,00' },
				{ card: 'Travle', maximum_amount: '10' },
				{ rule: 'Category', category: 'resturants', maximum_amount: '10' },
			);
			const messages = await slackMessagesDuring(environment(), async () => {
				const { status } = await environment().n8n.run(policy.automation.workflowId, trigger);
				expect(status).toBe('error');
			});
			const [text = ''] = messages;
			expect(text.replace(/row \d+/, 'row N')).toBe(
				lines(
					'The spend policy could not be checked',
					reminder,
					'Rule "Amount": "1.000,00" in maximum_amount is not an amount such as 1000.00.',
					'Rule "row N": no card has the name, last four digits or ID "Travle".',
					'Rule "Category": "resturants" is not a known category.',
				),
			);
		});
	});

	describe('with a table of another make', () => {
		it('reads columns of numbers exactly', async () => {
			const head = (await policyTable()).split('\n')[0] ?? '';
			const csv = `${head}\nOne,,,1000.1,,,3,freeze\n`;
			const own = await importSpendPolicy('Numbers', csv);
			expect((await after({ amount: '1000.10' }, { own })).card).toBe('active');
			expect((await after({ amount: '1000.11' }, { own })).card).toBe('frozen');
		});

		it('reports a column that is missing', async () => {
			const csv = (await policyTable()).replace('maximum_amount', 'max');
			const own = await importSpendPolicy('Missing', csv);
			const { status, messages } = await after({}, { own });
			expect(status).toBe('error');
			expect(messages[0]).toContain('The table of rules has no column maximum_amount.');
		});
	});
});
