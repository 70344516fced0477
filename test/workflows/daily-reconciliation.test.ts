import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { toReadable } from '../../nodes/CardPlatform/events/item';
import { startSandbox } from '../support/sandbox';
import { codeStep, type Json } from './codeStep';
import { type DayOfPurchases, dayOfPurchases, type Outcome } from './dayOfPurchases';

const compareDay = codeStep('daily-reconciliation.json', 'Compare');

/** The lists of a day on which everything happened that regularly does. */
let lists: Record<'transactions' | 'events' | 'cards', Json[]>;
let ids: DayOfPurchases;
/** The day that is compared. */
let day: { day: string; from: string; to: string };

beforeAll(async () => {
	const sandbox = await startSandbox();
	const read = async (path: string) => ((await sandbox.api(path)) as { data: Json[] }).data;
	const start = DateTime.utc().minus({ days: 1 });
	await sandbox.client.setClock(start.toJSDate());
	day = {
		day: start.toISODate(),
		from: start.startOf('day').toISO(),
		to: start.endOf('day').plus(1).toISO(),
	};
	const cards = await read('/cards?pageSize=100');
	ids = await dayOfPurchases(
		sandbox.client,
		cards as unknown as Parameters<typeof dayOfPurchases>[1],
	);
	const events = cards.map(({ id }) => read(`/cards/${String(id)}/financial-events`));
	lists = {
		transactions: await read('/transactions?pageSize=100'),
		events: (await Promise.all(events)).flat(),
		cards,
	};
	await sandbox.close();
});

type Change = (record: Json) => Json | undefined;
type Changes = Partial<Record<'transactions' | 'events', Change>>;

/** Compares the lists; a change applies to the records of a transaction. */
function compare(changes: Changes = {}) {
	const changed = (list: 'transactions' | 'events') => {
		const change: Change = changes[list] ?? ((record) => record);
		return lists[list].map(change).filter((record) => record !== undefined);
	};
	const outputs = {
		'Day to compare': [day],
		Transactions: changed('transactions'),
		// As the node gives them: the API's own fields may be simplified away.
		'Card events': changed('events').map((event) => toReadable(event as IDataObject, false)),
		Cards: lists.cards,
	};
	const [{ summary, differences } = {}] = compareDay({ outputs });
	return { summary: String(summary), differences: differences as Json[] };
}

const only =
	(list: 'transactions' | 'events', name: Outcome, to: Change): Change =>
	(record) =>
		(list === 'events' ? record.transactionId : record.id) === ids[name] ? to(record) : record;
const inList = (list: 'transactions' | 'events', name: Outcome, to: Change): Changes => ({
	[list]: only(list, name, to),
});
const set =
	(values: Json): Change =>
	(record) => ({ ...record, ...values });
const gone: Change = () => undefined;
const uncompared = (summary: string) => Number(/not compared: (\d+)/.exec(summary)?.[1] ?? 0);

describe('"Daily reconciliation"', () => {
	it('finds no difference in what regularly happens', () => {
		const { summary, differences } = compare();
		expect(differences).toEqual([]);
		expect(summary).toMatch(/: \d+ transactions and \d+ events compared\. They agree\./);
		expect(summary.startsWith(`${day.day}: `)).toBe(true);
		const nothing = compare({ transactions: gone, events: gone }).summary;
		expect(nothing).toContain('0 transactions and 0 events compared. They agree.');
	});

	const anyCard = expect.any(String) as string;

	it.each<['transactions' | 'events', Outcome, Json | 'gone', string, string, string]>([
		['transactions', 'pending', { amount: '12.51' }, 'amount', '12.51', '12.50'],
		// As if a reversal was missing from it.
		['transactions', 'partlyReversed', { amount: '30.00' }, 'amount', '30.00', '20.00'],
		['transactions', 'inParts', { amount: '0.61' }, 'amount', '0.61', '0.60'],
		[
			'transactions',
			'settled',
			{ amount: '80.000000000001' },
			'amount',
			'80.000000000001',
			'80.00',
		],
		['transactions', 'released', { amount: '1.00' }, 'amount', '1.00', '0.00'],
		['transactions', 'refund', { amount: '41.00' }, 'amount', '41.00', '40.00'],
		['transactions', 'settled', { amount: 'eighty' }, 'amount', 'eighty', '80.00'],
		['events', 'declined', { amount: '54.00' }, 'amount', '45.00', '54.00'],
		['events', 'declined', { amount: '45,00' }, 'amount', '45.00', 'cannot be read: 45,00'],
		['events', 'settled', { currency: 'EUR' }, 'currency', 'USD', 'EUR'],
		['events', 'refund', { amountDirection: 'debit' }, 'direction', 'credit', 'debit'],
		['events', 'alone', { cardId: 'another card' }, 'card', anyCard, 'another card'],
		['events', 'declined', { isSuccess: true }, 'status', 'declined', 'approved'],
		['events', 'pending', { isSuccess: false }, 'status', 'pending', 'declined'],
		['events', 'settled', 'gone', 'no event', '80.00 USD debit, settled', ''],
		['transactions', 'pending', 'gone', 'no transaction', '', '12.50 USD debit'],
		['transactions', 'alone', 'gone', 'no transaction', '', '5.00 USD debit'],
	])(
		'finds, with the %s of %s %j, a difference, %s, and nothing else',
		(list, of, to, ...found) => {
			const change = to === 'gone' ? gone : set(to);
			const { differences, summary } = compare(inList(list, of, change));
			const [difference, transactionSays, eventsSay] = found;
			expect(differences).toMatchObject([
				{
					...{ Difference: difference, 'Transaction ID': ids[of] },
					...{ 'Transaction says': transactionSays, 'Events say': eventsSay },
				},
			]);
			expect(summary).toContain(`1 difference: 1 × ${difference}.`);
		},
	);

	it.each([
		['transactions', '5'],
		['events', '5.000'],
	] as const)('takes 5.00 and, in the %s, %s for the same amount', (list, amount) => {
		expect(compare(inList(list, 'alone', set({ amount }))).differences).toEqual([]);
	});

	it('compares no settled amount that the events do not tell, and says how many, if it can be read', () => {
		const withoutClearing = (amount: string) => {
			// The clearing event is the newer one, which comes first.
			let seen = 0;
			return compare({
				events: only('events', 'settled', (record) => (seen++ === 0 ? undefined : record)),
				transactions: only('transactions', 'settled', set({ amount })),
			});
		};
		const { differences, summary } = withoutClearing('92.00');
		expect(differences).toEqual([]);
		expect(uncompared(summary)).toBe(uncompared(compare().summary) + 1);
		expect(withoutClearing('?').differences).toMatchObject([
			{ Difference: 'amount', 'Transaction says': '?', 'Events say': 'nothing' },
		]);
	});

	it('takes the first moment of the day, and no longer that of the next', () => {
		const { from, to } = day;
		const countsAt = (moment: unknown) => {
			const createdAt = new Date(String(moment)).toISOString();
			const [transactions, events] = (['transactions', 'events'] as const).map((list) =>
				only(list, 'alone', set({ createdAt })),
			);
			const { summary } = compare({ transactions, events });
			return (/(\d+) transactions and (\d+) events/.exec(summary) ?? []).slice(1).map(Number);
		};
		expect(countsAt(to)).toEqual(countsAt(from).map((count) => count - 1));
	});
});
