import { outputOf } from '../../dev/harness/n8n/executions.ts';
import type { Automation } from '../../dev/harness/scenario/automation.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { toReadable } from '../../nodes/CardPlatform/events/item';
import { cardEvent } from '../trigger/events.ts';
import { importFile, useTestEnvironment } from './environment.ts';
import { lines } from './messages.ts';

const environment = useTestEnvironment();

let automation: Automation;

beforeAll(async () => {
	automation = await importFile(environment(), 'freeze-on-decline.json');
});

test('"Freeze on suspicious decline" freezes the card of a decline abroad, and no other', async () => {
	const { company } = environment();
	const [{ id: cardId }] = company.active;
	const buy = (merchantCountry: string, more: object = {}) =>
		trackPurchase(
			{ ...company, ...automation },
			{
				cardId,
				amount: '480.00',
				merchantName: 'Elektronik Outlet',
				merchantCountry,
				decline: { reason: 'suspected_fraud' },
				...more,
			},
		);
	const atHome = await buy('US');
	expect([atHome.execution.nodes.at(-1)?.name, atHome.card.status]).toEqual([
		'Nothing to do',
		'active',
	]);
	const { execution, card } = await buy('RO');
	expect([execution.status, card.status]).toEqual(['success', 'frozen']);
	expect(outputOf(execution, 'Frozen').items).toHaveLength(1);
	const [{ text } = { text: '' }] = outputOf(execution, 'What happened').items as {
		text: string;
	}[];
	expect(text.replace(/(?<=Time: )\d+ \w{3} 20\d\d, \d\d:\d\d \S+$/, 'now')).toBe(
		lines(
			`Froze ${card.name} (•••• ${card.lastFour})`,
			'Declined: 480.00 USD at Elektronik Outlet (RO), suspected fraud',
			'Time: now',
		),
	);
});

const large = { amount: '500.00' };
const abroad = { merchantCountry: 'RO' };
const because = (...reasons: string[]) => ({ issues: reasons.map((reason) => ({ reason })) });

test.each<[string, object, boolean]>([
	['at home for 499.99', { amount: '499.99' }, false],
	['at home for 500.00', large, true],
	['at home for 99.00, which is a larger string', { amount: '99.00' }, false],
	['at home, in lower case', { merchantCountry: 'us' }, false],
	['in an unknown country', { merchantCountry: undefined }, true],
	['at home for an unknown amount', { amount: undefined }, false],
	['at home for lack of funds', { ...large, ...because('insufficient_funds') }, false],
	['at home over the limit', { ...large, ...because('card_limit_exceeded') }, false],
	[
		'at home for two reasons',
		{ ...large, ...because('suspected_fraud', 'insufficient_funds') },
		true,
	],
	['abroad for lack of funds', { ...abroad, ...because('insufficient_funds') }, true],
])('"Freeze on suspicious decline", after a decline %s', async (_, changes, freezes) => {
	const { n8n, company } = environment();
	const event = cardEvent(company.active[1].id, { isSuccess: false, ...changes });
	const items = [toReadable({ ...event }, false)];
	const { nodes } = await n8n.run(automation.workflowId, 'Declined purchase', items);
	expect(nodes.some(({ name }) => name === 'Freeze the card')).toBe(freezes);
});
