import { join } from 'node:path';
import { z } from 'zod';
import type { Card, Purchase } from '../../../playground/scenario/company.ts';
import { follow, type Outcome } from '../../../playground/scenario/purchase.ts';
import type { Automation } from '../../../playground/scenario/stage.ts';
import { readWorkflow, type WorkflowFile } from '../../../playground/scenario/workflow.ts';
import { Cleanup } from '../../../playground/tools/cleanup.ts';
import { workflowFile, workflowsFolder } from '../../../playground/tools/paths.ts';
import { recordContractOfEachTest } from '../../support/contract';
import { cardEvent, execute } from '../events.ts';
import { outputOf } from './editor.ts';
import { bringInSubscribed, openStage, type WorkflowStage } from './stage.ts';

const contract = recordContractOfEachTest('checked');
const cleanup = new Cleanup();
let stage: WorkflowStage;

beforeAll(async () => {
	stage = await openStage(cleanup, {}, contract);
}, 300_000);

afterAll(() => cleanup.run(), 60_000);

jest.setTimeout(120_000);

/** What Slack gets while something is done. */
async function toldDuring(work: () => Promise<unknown>): Promise<string[]> {
	const before = (await stage.outside.slackMessages()).length;
	await work();
	return (await stage.outside.slackMessages()).slice(before).map(({ text }) => text);
}

const slackParameters = (node: object) =>
	z.object({ parameters: z.object({}).passthrough() }).parse(node).parameters;

const lines = (...texts: string[]) => texts.join('\n');

describe('Auto-freeze on suspicious event', () => {
	const falseAlarm = 'If this was a false alarm, unfreeze the card in the dashboard.';
	let automation: Automation;

	// The workflow as a person has it who has Slack.
	beforeAll(async () => {
		const file = await readWorkflow(workflowFile);
		const nodes = file.nodes.map((node) =>
			node.name === 'Tell Slack' ? { ...node, disabled: false } : node,
		);
		automation = await bringInSubscribed(stage, { ...file, nodes });
	}, 120_000);

	const declined = ({ id: cardId }: Card): Purchase => ({
		cardId,
		amount: '20.00',
		merchantName: 'Corner Bakery',
		merchantCountry: 'US',
		decline: { reason: 'incorrect_pin' },
	});

	const buy = (purchase: Purchase): Promise<Outcome> =>
		follow({ ...stage.company, ...automation }, purchase);

	it('leaves the card active at two declines within an hour, and freezes it at the third', async () => {
		const [card] = stage.company.active;
		const told = await toldDuring(async () => {
			const first = await buy(declined(card));
			const second = await buy(declined(card));
			expect([first.card.status, second.card.status]).toEqual(['active', 'active']);
			const third = await buy(declined(card));
			expect(third.execution.status).toBe('success');
			expect(third.card.status).toBe('frozen');
		});
		expect(told).toEqual([
			lines(
				`Froze the card ${card.name} (…${card.lastFour})`,
				'Why: 3 declines within one hour',
				'20.00 USD at Corner Bakery (US)',
				falseAlarm,
			),
		]);
	});

	describe('with events that are sent by hand', () => {
		beforeAll(() => stage.company.sandbox.unsubscribe({ id: automation.endpointId }));

		/** Declines which the card platform lists, so many minutes before `end`. */
		const declinesBefore = async (end: Date, card: Card, minutes: readonly number[]) => {
			const { sandbox } = stage.company;
			for (const each of minutes) {
				await sandbox.setClock(new Date(end.getTime() - each * 60_000));
				await sandbox.purchase(declined(card));
			}
			await sandbox.setClock();
		};

		// Each case has a day of its own, so that none counts the declines of another.
		it.each([
			['after two within the hour freezes it', 1, [59, 1], [], 'frozen'],
			['after one within the hour does not', 2, [61, 1], [], 'active'],
			['after many over an hour ago does not', 3, [90, 75, 61], [], 'active'],
			['before others does not', 4, [-1, -2, -3], [], 'active'],
			['after one, and many of another card, does not', 5, [1], [1, 2, 3, 4], 'active'],
			['as the only one does not', 6, [], [], 'active'],
		])('a decline of a card %s', async (_, daysAgo, own, others, status) => {
			const { api, active } = stage.company;
			const [other, card] = active;
			await api.unfreeze(card.id);
			const end = new Date(Date.now() - daysAgo * 24 * 60 * 60_000);
			await declinesBefore(end, card, own);
			await declinesBefore(end, other, others);
			const event = cardEvent(card.id, { isSuccess: false, createdAt: end.toISOString() });
			const execution = await execute(automation, event);
			expect(execution.status).toBe('success');
			expect(await api.card(card.id)).toMatchObject({ status });
		});

		it.each([
			[
				'a decline abroad',
				{ isSuccess: false, merchantCountry: 'RO', merchantName: 'A & B <!channel> *bold*' },
				['Why: declined outside US', '12.30 USD at A &amp; B &lt;!channel&gt; *bold* (RO)'],
			],
			[
				'a large purchase',
				{ amount: '1000.00', merchantName: undefined, merchantCountry: undefined },
				['Why: an amount of 1000.00 or more', '1000.00 USD at an unknown merchant'],
			],
		])('tells why the card was frozen after %s', async (_, changes, told) => {
			const { id, name, lastFour } = stage.company.active[1];
			const messages = await toldDuring(() => execute(automation, cardEvent(id, changes)));
			const head = `Froze the card ${name} (…${lastFour})`;
			expect(messages).toEqual([lines(head, ...told, falseAlarm)]);
		});

		it('tells that a card could not be frozen, and shows the execution as failed', async () => {
			const card = stage.company.cards.find(({ status }) => status === 'archived');
			const event = cardEvent(card?.id ?? '', { amount: '1000.00' });
			let failed = '';
			const messages = await toldDuring(async () => {
				const execution = await execute(automation, event);
				failed = `${execution.status}: ${outputOf(execution, 'Show it as failed').error ?? ''}`;
			});
			expect(messages).toEqual([
				expect.stringMatching(
					/^COULD NOT FREEZE the card Old phone contract \(…\d{4}\)\nWhy: .+\n.+\nFreeze it by hand. What went wrong: .*archived/,
				),
			]);
			expect(failed).toBe(`error: ${messages[0] ?? ''}`);
		});
	});

	describe('for a person', () => {
		const freezeWith = async (change: (file: WorkflowFile) => WorkflowFile) => {
			const { api, active } = stage.company;
			const { id } = active[1];
			await api.unfreeze(id);
			const own = await bringInSubscribed(stage, change(await readWorkflow(workflowFile)));
			const execution = await execute(own, cardEvent(id, { amount: '1000.00' }));
			return { execution, card: await api.card(id) };
		};

		it('who has deleted the step for Slack, it freezes the card', async () => {
			const { execution, card } = await freezeWith((file) => {
				const nodes = file.nodes.filter(({ name }) => name !== 'Tell Slack');
				return { ...file, nodes };
			});
			expect([execution.status, card.status]).toEqual(['success', 'frozen']);
		});

		it('whose Slack refuses the message, it freezes the card and shows the execution as failed', async () => {
			const channelId = { __rl: true, mode: 'name', value: '#no-such-channel' };
			const { execution, card } = await freezeWith((file) => ({
				...file,
				nodes: file.nodes.map((node) =>
					node.name === 'Tell Slack'
						? { ...node, disabled: false, parameters: { ...slackParameters(node), channelId } }
						: node,
				),
			}));
			expect([execution.status, card.status]).toEqual(['error', 'frozen']);
			expect(outputOf(execution, 'Tell Slack').error).toMatch(/channel_not_found/);
		});
	});
});

describe('Slack alert on declines', () => {
	let automation: Automation;

	beforeAll(async () => {
		const file = await readWorkflow(join(workflowsFolder, 'slack-alert-on-declines.json'));
		automation = await bringInSubscribed(stage, file);
	}, 120_000);

	const link = (cardId: string) => `https://dashboard.example.com/cards/${cardId}`;

	it('tells of a declined purchase that the card platform reports, and of no other', async () => {
		const [card] = stage.company.active;
		await stage.company.api.unfreeze(card.id);
		const { sandbox } = stage.company;
		const usual = { cardId: card.id, merchantName: 'Elektronik Outlet', merchantCountry: 'RO' };
		const messages = await toldDuring(async () => {
			await sandbox.purchase({ ...usual, amount: '4.00' });
			const decline = { reason: 'suspected_fraud' };
			await follow(
				{ ...stage.company, ...automation },
				{ ...usual, amount: '2450.00', currency: 'EUR', decline },
			);
		});
		expect(messages).toEqual([
			lines(
				'Declined: 2450.00 EUR at Elektronik Outlet, RO',
				`Card: ${card.name} (…${card.lastFour})`,
				'Reason: suspected_fraud',
				link(card.id),
			),
		]);
	});

	it.each([
		[
			'a merchant whose name is markup',
			{ merchantName: '<!channel> & <https://evil.example|Tom>', merchantCity: 'A>B' },
			'Declined: 12.30 USD at &lt;!channel&gt; &amp; &lt;https://evil.example|Tom&gt;, A&gt;B, US',
			'Reason: not given',
		],
		[
			'no merchant and no amount',
			{ merchantName: undefined, merchantCountry: undefined, amount: undefined },
			'Declined: an unknown amount USD at an unknown merchant',
			'Reason: not given',
		],
		[
			'nothing but the card',
			{
				merchantName: '',
				merchantCountry: undefined,
				amount: undefined,
				currency: undefined,
				issues: undefined,
				createdAt: undefined,
			},
			'Declined: an unknown amount at an unknown merchant',
			'Reason: not given',
		],
		[
			'two reasons',
			{ issues: [{ reason: 'a<b' }, { origin: 'network' }, { reason: 'card_frozen' }] },
			'Declined: 12.30 USD at Corner Bakery, US',
			'Reason: a&lt;b, card_frozen',
		],
	])('reads well with %s', async (_, changes, purchase, reason) => {
		const { id, name, lastFour } = stage.company.active[1];
		const event = cardEvent(id, { isSuccess: false, ...changes });
		const messages = await toldDuring(() => execute(automation, event));
		expect(messages).toEqual([lines(purchase, `Card: ${name} (…${lastFour})`, reason, link(id))]);
	});

	it('tells of a card that nobody knows, too', async () => {
		const id = '00000000-0000-4000-8000-000000000000';
		const event = cardEvent(id, { isSuccess: false });
		const messages = await toldDuring(async () => {
			const { status } = await execute(automation, event);
			expect(status).toBe('success');
		});
		expect(messages).toEqual([
			lines(
				'Declined: 12.30 USD at Corner Bakery, US',
				`Card: ${id}, which could not be looked up`,
				'Reason: not given',
				link(id),
			),
		]);
	});

	it('sends to the channels of the nodes, and nothing to anybody else on the internet', async () => {
		const requests = await stage.outside.requests();
		expect(new Set(requests.map(({ url }) => url))).toEqual(
			new Set(['https://slack.com/api/chat.postMessage']),
		);
		const channels = (await stage.outside.slackMessages()).map(({ channel }) => channel);
		expect(new Set(channels)).toEqual(new Set(['#card-alerts', '#no-such-channel']));
	});
});
