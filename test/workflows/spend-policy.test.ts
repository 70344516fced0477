import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';

import { workflowsFolder } from '../../dev/harness/tools/paths';
import { toReadable } from '../../nodes/CardPlatform/events/item';
import { cardEvent } from '../trigger/events';
import { codeStep, type Json } from './codeStep';

const compare = codeStep('spend-policy.json', 'Compare with the rules');
const writeMessage = codeStep('spend-policy.json', 'Write the message');
const addUp = codeStep('spend-policy.json', 'What would happen');
const card = { id: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10', name: 'Travel', lastFour: '0042' };
const failure = { error: 'not found' };
const [head = ''] = readFileSync(join(workflowsFolder, 'spend-policy.csv'), 'utf8').split('\n');

/** What steps read, by their names. */
type Results = Record<string, Json[]>;

/** A row of the table as n8n keeps it: all columns are there. */
const columns = head.trim().split(',');
const row = (cells: Json): Json => ({
	...{ id: 1, ...Object.fromEntries(columns.map((column) => [column, null])) },
	...cells,
});

/** What the message says of findings, and whether they froze the card. */
function told(findings: Json[], freeze: Json) {
	const freezes = findings.some((finding) => finding.freeze);
	const outputs = { 'Report once': findings, 'Freeze the card': [freeze] };
	const [message] = findings.length === 0 ? [] : writeMessage({ outputs });
	return {
		outcome: freezes ? 'frozen' : message === undefined ? 'nothing' : 'alert',
		failed: message?.done === false,
		text: message === undefined ? '' : String(message.text),
	};
}

/** Compares an event of the card with the rules; `results` change what the steps read. */
function check(rules: Json[], changes: object = {}, results: Results = {}) {
	const event = cardEvent(card.id, { createdAt: '2026-05-01T12:00:00Z', ...changes });
	const outputs = {
		Purchase: [toReadable({ ...event }, false)],
		'Look up the card': [card],
		'Declines before': [{}],
		Rules: rules.map(row),
		...results,
	};
	const [freeze = {}] = results['Freeze the card'] ?? [{ summary: 'Froze Travel (•••• 0042)' }];
	return told(compare({ outputs }), freeze);
}

const globals = { $now: DateTime.fromISO('2026-05-02T08:00:00Z', { zone: 'utc' }) };

/** A trial run with past events of the card, oldest first: what the totals say, and the rows. */
function tryOn(rules: Json[], events: object[], names: Json = {}) {
	const past = events.map((changes) => ({
		...toReadable(
			{ ...cardEvent(card.id, { createdAt: '2026-05-01T12:00:00Z', ...changes }) },
			false,
		),
		...{ cardName: card.name, cardLastFour: card.lastFour, ...names },
	}));
	const outputs = {
		'Try the rules': [{}],
		Period: [{ days: 30 }],
		'Past events': past.length === 0 ? [{}] : past.toReversed(),
		Rules: rules.map(row),
	};
	const [totals, ...rows] = addUp({ input: compare({ outputs, globals }), globals });
	return { totals: String(totals?.['What would happen']), rows };
}

/** The first column of a trial run, without what is wrong with the table. */
const outcomesOf = (...run: Parameters<typeof tryOn>) =>
	tryOn(...run)
		.rows.map((each) => each['What would happen'])
		.filter((outcome) => outcome !== 'mistake');

const one = { rule: 'One', action: 'freeze' };
const limited = { ...one, maximum_amount: '10' };
const declined = { isSuccess: false };
/** With cents, no float can hold it. */
const large = '9007199254740993';
const low = { maximum_amount: '1' };
const fuel = { category: 'Fuel & Gas' };

describe('"Spend policy"', () => {
	it.each<[string, Json, object, string]>([
		['an amount above the maximum', { maximum_amount: '99.9' }, { amount: '99.91' }, 'frozen'],
		['an amount with a sign', { maximum_amount: '99.9' }, { amount: '-99.91' }, 'frozen'],
		['the maximum itself', { maximum_amount: '99.9' }, { amount: '99.90' }, 'nothing'],
		['a maximum that is a number', { maximum_amount: 99.9 }, { amount: '99.91' }, 'frozen'],
		['a cent more', { maximum_amount: large }, { amount: `${large}.01` }, 'frozen'],
		['a country not allowed', { allowed_countries: 'us; CA' }, { merchantCountry: 'RO' }, 'frozen'],
		['a country that is allowed', { allowed_countries: 'RO,us' }, {}, 'nothing'],
		['an unknown country', { allowed_countries: 'RO' }, { merchantCountry: undefined }, 'frozen'],
		['a blocked merchant', { blocked_merchants: 'casino, BAKERY' }, {}, 'frozen'],
		['another merchant', { blocked_merchants: 'casino' }, {}, 'nothing'],
		['an unknown merchant', { blocked_merchants: 'A' }, { merchantName: undefined }, 'nothing'],
		['a decline where none is allowed', { declines_per_hour: '1' }, declined, 'frozen'],
		['a decline below the number', { declines_per_hour: '2' }, declined, 'nothing'],
		['a purchase where no decline is allowed', { declines_per_hour: '1' }, {}, 'nothing'],
		['the category', { ...fuel, ...low }, { category: 'fuel_and_gas' }, 'frozen'],
		['another category', { ...fuel, ...low }, { category: 'fuel' }, 'nothing'],
		['no category', { ...fuel, ...low }, {}, 'nothing'],
		['the name of the card', { card: 'travel', ...low }, {}, 'frozen'],
		['its last four digits', { card: '0042', ...low }, {}, 'frozen'],
		['its ID', { card: card.id, ...low }, {}, 'frozen'],
		['another card', { card: 'Sales', ...low }, {}, 'nothing'],
		['a mistake for another card', { card: 'Sales', maximum_amount: 'ten' }, {}, 'nothing'],
		['a rule that only alerts', { ...low, action: 'alert' }, {}, 'alert'],
		['a rule without an action', { ...low, action: null }, {}, 'alert'],
		['a row that is switched off', { rule: '# One', ...low }, {}, 'nothing'],
	])('%s', (_, cells, changes, outcome) => {
		const rules = [
			{ ...one, ...cells },
			{ rule: 'Other', blocked_merchants: 'nobody' },
		];
		expect(check(rules, changes)).toMatchObject({ outcome, failed: false });
		const outcomes = { frozen: ['freeze'], alert: ['alert'], nothing: [] };
		expect(outcomesOf(rules, [changes])).toEqual(outcomes[outcome as keyof typeof outcomes]);
	});

	it('counts the decline itself, whether the API lists it already or not', () => {
		const limited = (declines_per_hour: string) => [{ ...one, declines_per_hour }];
		const own = { ...declined, id: 'own' };
		for (const listed of [[], [{ id: 'own' }]]) {
			const results = { 'Declines before': [...listed, { id: 'other' }] };
			expect(check(limited('2'), own, results).text).toContain('2 declines within one hour');
			expect(check(limited('3'), own, results).outcome).toBe('nothing');
		}
	});

	const not = (column: string, expected: string, ...values: string[]) =>
		values.map((value) => [column, value, expected] as const);

	it('freezes for one of several rules, and names all that are broken', () => {
		const rules = [
			{ rule: 'Two', allowed_countries: 'DE', action: 'alert' },
			{ ...limited, blocked_merchants: 'bakery' },
			{ rule: 'Three', maximum_amount: '100', action: 'freeze' },
		];
		expect(check(rules).text.split('\n')).toEqual([
			'Froze Travel (•••• 0042)',
			'Rule "One" is broken: 12.30 USD is more than 10; the merchant "bakery" is blocked.',
			'Rule "Two" is broken: the merchant is in US (allowed: DE).',
			'Approved: 12.30 USD at Corner Bakery (US)',
		]);
	});

	it.each([
		...not('maximum_amount', 'an amount such as 1000.00', '1.000,00', '1,000.00', '1.000', '-5'),
		...not('maximum_amount', 'an amount such as 1000.00', '1e3', '100 USD', 'ten'),
		...not('allowed_countries', 'a country code such as US', 'Germany', ','),
		...not('declines_per_hour', 'a whole number such as 3', '2.5', '0', 'three'),
		...not('action', '"alert" or "freeze"', 'frezee'),
	])('reports that %s is "%s", and carries out the other rules', (column, value, expected) => {
		const wrong = { rule: 'Wrong', maximum_amount: '500', [column]: value };
		const mistake = `Rule "Wrong": "${value}" in ${column} is not ${expected}.`;
		const both = check([wrong, limited]);
		expect(both).toMatchObject({ outcome: 'frozen', failed: true });
		expect(both.text).toContain(`by hand:\n${mistake}`);
		expect(check([wrong])).toEqual({
			outcome: 'alert',
			failed: true,
			text: [
				'The spend policy could not be checked',
				'Approved: 12.30 USD at Corner Bakery (US)',
				'Correct the table of rules, or check this by hand:',
				mistake,
			].join('\n'),
		});
	});

	const isAmount = ([column]: [string, unknown]) => column === 'maximum_amount';
	const otherColumns = Object.fromEntries(
		Object.entries(row(one)).filter((each) => !isAmount(each)),
	);

	it.each<[string, Json, object, Results?]>([
		...['-', 'Еда', 'restaurants, lodging'].map((category): [string, Json, object] => [
			`Rule "One": "${category}" in category is not one category.`,
			{ ...limited, category },
			{ category: 'restaurants' },
		]),
		[
			'Rule "One": the declines of the card could not be counted.',
			{ ...one, declines_per_hour: '1' },
			declined,
			{ 'Declines before': [failure] },
		],
		['the amount of the purchase, "12,30", cannot be read.', limited, { amount: '12,30' }],
		['the amount of the purchase, "1-2", cannot be read.', limited, { amount: '1-2' }],
		['Rule "One": it limits nothing.', one, {}],
		['The table has no rules.', {}, {}, { Rules: [{}] }],
		['has no column maximum_amount.', {}, {}, { Rules: [otherColumns] }],
		[
			'so it is unknown whether it is "Travel"',
			{ ...limited, card: 'Travel' },
			{},
			{ 'Look up the card': [failure] },
		],
	])('reports: %s', (report, rule, changes, results = {}) => {
		const { outcome, failed, text } = check([rule], changes, results);
		expect([outcome, failed]).toEqual(['alert', true]);
		expect(text).toContain(report);
	});

	it('reports that a card could not be frozen', () => {
		const results = { 'Freeze the card': [failure] };
		expect(check([limited], {}, results)).toMatchObject({
			failed: true,
			text: expect.stringMatching(/^COULD NOT FREEZE the card Travel .*Reason: not found\n/),
		});
	});

	const at = (time: string, changes: object = {}) => ({
		...{ id: time, transactionId: time, createdAt: `2026-05-01T${time}:00Z` },
		...changes,
	});
	const decline = (time: string, changes: object = {}) =>
		at(time, { isSuccess: false, ...changes });
	const count = (declines_per_hour: string, ...events: object[]) =>
		outcomesOf([{ ...one, declines_per_hour }], events);
	const burst = ['a', 'b', 'c'].map((id) => decline('13:00', { id, transactionId: id }));

	it.each<[string, string, object[], string[]]>([
		['within an hour', '2', [decline('12:00'), decline('13:00')], ['freeze']],
		['of another hour', '2', [decline('11:59'), decline('13:00')], []],
		['of another card', '2', [decline('12:00', { cardId: 'another' }), decline('13:00')], []],
		['and no purchases', '2', [at('12:00'), decline('13:00')], []],
		['of one instant', '3', burst, ['freeze', 'alert', 'alert']],
		['of one instant, and no more', '4', burst, []],
	])('counts declines %s in a trial run', (_, number, events, outcomes) => {
		expect(count(number, ...events)).toEqual(outcomes);
	});

	it('counts the declines in the hour before the period, and compares none of them', () => {
		const midnight = (createdAt: string) => decline(createdAt, { createdAt });
		const events = ['2026-04-01T23:30:00Z', '2026-04-01T23:59:59Z', '2026-04-02T00:15:00Z'];
		const { totals, rows } = tryOn([{ ...one, declines_per_hour: '2' }], events.map(midnight));
		expect(totals).toContain('2 Apr 2026 to 2 May 2026: 1 event, 0 alerts, 1 card');
		expect(rows.map(({ Rule }) => Rule)).toEqual([
			'Rule "One" is broken: 3 declines within one hour.',
		]);
	});

	it('says in a trial run what would have happened, each rule once for all steps of a purchase', () => {
		const rules = [{ ...limited, action: 'alert' }];
		const step = (amount: string) => at('12:00', { id: amount, amount });
		const events = [step('9.00'), step('12.30'), step('12.30'), at('12:01', { amount: '9.99' })];
		expect(tryOn(rules, events)).toEqual({
			totals: '2 Apr 2026 to 2 May 2026: 4 events, 1 alert, 0 cards would have been frozen.',
			rows: [
				{
					'What would happen': 'alert',
					When: '2026-05-01 12:00',
					Card: 'Travel (•••• 0042)',
					...{ Amount: '12.30', Currency: 'USD', Merchant: 'Corner Bakery', Country: 'US' },
					Rule: 'Rule "One" is broken: 12.30 USD is more than 10.',
				},
			],
		});
	});

	it('freezes each card once in a trial run, and takes its later purchases for declines, with what they would have cost', () => {
		const other = { cardId: 'another' };
		const events = [
			...[at('12:00'), at('12:01', { amount: '1234.50' }), at('12:02')],
			...[
				at('12:02', { id: 'clearing', amount: '99.00' }),
				at('12:03', declined),
				at('12:04', other),
			],
		];
		const rules = [
			{ ...limited, maximum_amount: '12' },
			{ ...one, rule: 'Two', declines_per_hour: '3' },
		];
		const { totals, rows } = tryOn(rules, events);
		expect(totals).toMatch(
			/: 6 events, 3 alerts, 2 cards would have been frozen \(Travel \(•••• 0042\), 2 later purchases declined: 1,246\.80 USD; Travel \(•••• 0042\), no later purchase declined\)\.$/,
		);
		// As live: a message for each decline that breaks a rule, and none for a clearing of what was declined.
		expect(rows.map((row) => [row['What would happen'], row.When, row.Rule])).toEqual([
			['freeze', '2026-05-01 12:00', 'Rule "One" is broken: 12.30 USD is more than 12.'],
			['alert', '2026-05-01 12:01', 'Rule "One" is broken: 1,234.50 USD is more than 12.'],
			['alert', '2026-05-01 12:02', 'Rule "One" is broken: 12.30 USD is more than 12.'],
			[
				'alert',
				'2026-05-01 12:03',
				'Rule "One" is broken: 12.30 USD is more than 12. Rule "Two" is broken: 3 declines within one hour.',
			],
			['freeze', '2026-05-01 12:04', 'Rule "One" is broken: 12.30 USD is more than 12.'],
		]);
	});

	// With the time of each pair of declines, 20 000 events took 109 s.
	it('reads each time once, however many declines a card has', () => {
		let reads = 0;
		class CountedDate extends Date {
			static override parse(time: string): number {
				reads += 1;
				return super.parse(time);
			}
		}
		const times = Array.from({ length: 50 }, (_, minute) => `12:${59 - minute}`);
		const past = times.map((time) => ({ ...decline(time), cardId: card.id }));
		const outputs = { 'Try the rules': [{}], Period: [{ days: 30 }], 'Past events': past };
		const rules = [row({ ...one, declines_per_hour: '3' })];
		compare({
			outputs: { ...outputs, Rules: rules },
			globals: { ...globals, Date: CountedDate },
		});
		expect(reads).toBeLessThanOrEqual(past.length);
		expect(reads).toBeGreaterThan(0);
	});

	it('does not know when a later step of a purchase would have frozen its card', () => {
		const events = [at('12:00', { amount: '1.00' }), at('12:00', { id: 'later' }), at('12:01')];
		const { totals, rows } = tryOn([limited], events);
		expect(totals).toContain('no later purchase declined');
		expect(rows.map((row) => row['What would happen'])).toEqual(['freeze', 'alert']);
		// It was frozen at 12:01 at the latest.
		const { totals: more } = tryOn([limited], [...events, at('12:02')]);
		expect(more).toContain('1 later purchase declined: 12.30 USD');
	});

	it('adds up what was declined without signs, and no amount that cannot be read', () => {
		const signed = at('12:01', { amount: '-1250.5' });
		const { totals, rows } = tryOn([limited], [at('12:00'), signed]);
		expect(totals).toContain('declined: 1,250.50 USD');
		expect(rows.map(({ Amount }) => Amount)).toEqual(['12.30', '-1250.5']);
		const nameless = at('12:01', { currency: null });
		expect(tryOn([limited], [at('12:00'), nameless]).totals).toContain('declined: 12.30)');
		const events = [at('12:00'), at('12:01', { amount: '1,50' })];
		expect(() => tryOn([limited], events)).toThrow(
			'The amount "1,50" of event 12:01 cannot be read',
		);
	});

	it('names in a trial run each mistake once, and what a spreadsheet takes for no formula', () => {
		const wrong = { rule: 'Wrong', card: 'Sales', category: '=Fuel', maximum_amount: 'ten' };
		const events = [at('12:00', { merchantName: '=1+1', currency: '+USD' }), at('12:01')];
		const { totals, rows } = tryOn([wrong, { ...limited, action: 'alert' }], events);
		expect(totals).toContain('2 alerts, 0 cards would have been frozen. 2 mistakes: correct');
		expect(rows.map((each) => [each['What would happen'], each.Merchant, each.Currency])).toEqual([
			['mistake', '', ''],
			['mistake', '', ''],
			['alert', "'=1+1", "'+USD"],
			['alert', 'Corner Bakery', 'USD'],
		]);
		expect(rows.slice(0, 2).map(({ Rule }) => Rule)).toEqual([
			'Rule "Wrong": "ten" in maximum_amount is not an amount such as 1000.00.',
			'Rule "Wrong": no event of the period has the card "Sales" and the category "fuel".',
		]);
		const nameless = { cardName: null, cardLastFour: null };
		expect(tryOn([{ ...limited, card: 'Sales' }], events, nameless).rows).toContainEqual(
			expect.objectContaining({ Rule: expect.stringContaining('is unknown whether') as string }),
		);
		expect(tryOn([limited], [])).toEqual({
			totals: '2 Apr 2026 to 2 May 2026: 0 events, 0 alerts, 0 cards would have been frozen.',
			rows: [],
		});
	});

	it('makes of a trial run nothing that a later step could carry out', () => {
		const outputs = { 'Try the rules': [{}], Period: [{ days: 30 }], Rules: [row(low)] };
		const past = [{ ...at('12:00'), cardId: card.id, amount: '5' }];
		const items = compare({ outputs: { ...outputs, 'Past events': past }, globals });
		expect(items.map((item) => Object.keys(item))).toEqual([
			['isTrial', 'events', 'start', 'stakes', 'mistakes'],
			['isTrial', 'what', 'event', 'card', 'broken'],
		]);
		const never = { ...outputs, Period: [{ days: 0 }], 'Past events': [{}] };
		expect(() => compare({ outputs: never, globals })).toThrow('days in Period is "0"');
	});

	it('finds the mistakes of the table in the morning', () => {
		const cards = [{ ...card, status: 'active' }];
		const wrong = [
			{ rule: 'Good', card: 'Travel', category: 'restaurants', maximum_amount: '10' },
			{ rule: 'Amount', maximum_amount: '1.000,00' },
			{ card: 'Travle', maximum_amount: '10' },
			{ rule: 'Category', category: 'resturants', maximum_amount: '10' },
		];
		const findings = compare({ outputs: { 'All cards': cards, Rules: wrong.map(row) } });
		expect(told(findings, {})).toEqual({
			outcome: 'alert',
			failed: true,
			text: [
				'The spend policy could not be checked',
				'Correct the table of rules, or check this by hand:',
				'Rule "Amount": "1.000,00" in maximum_amount is not an amount such as 1000.00.',
				'Rule "row 1": no card has the name, last four digits or ID "Travle".',
				'Rule "Category": "resturants" is not a known category.',
			].join('\n'),
		});
	});
});
