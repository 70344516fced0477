import { DateTime } from 'luxon';

import { toReadable } from '../../nodes/CardPlatform/events/item';
import { cardEvent } from '../trigger/events';
import { type Json, readSteps, runSteps } from './steps';

const file = readSteps('auto-freeze-on-suspicious-event.json');
const frozen = {
	id: 'a-card',
	name: 'Travel',
	status: 'frozen',
	previousStatus: 'active',
	changed: true,
	summary: 'Froze Travel (•••• 0042)',
};
const failure = { error: 'Forbidden' };

/** Runs the workflow for an event; `results` change what its steps read. */
function run(changes: object, results: Record<string, Json[]> = {}) {
	const event = toReadable(
		{ ...cardEvent('a-card', { createdAt: '2026-05-01T12:00:00Z', ...changes }) },
		false,
	);
	const usual = {
		'Large approvals': [{ ...event }],
		'Declines in the hour': [{ count: 0, sums: {} }],
		'Freeze the card': [frozen],
	};
	const now = DateTime.fromISO('2026-05-01T12:00:05Z', { zone: 'Europe/Berlin' });
	return runSteps(file, 'Card event', { ...event }, { ...usual, ...results }, now);
}

const earlier = (changes: object) => ({ 'Large approvals': [{ id: 'earlier', ...changes }] });
const declinesBefore = (count: number) => ({ 'Declines in the hour': [{ count }] });
const decline = { isSuccess: false };

describe('"Auto-freeze on suspicious event"', () => {
	it.each<[string, object, Record<string, Json[]>]>([
		['an approved purchase just below 1000', { amount: '999.99' }, {}],
		['a large decline at home', { ...decline, amount: '1000.00' }, {}],
		['an approved purchase abroad', { merchantCountry: 'RO' }, {}],
		['a decline at home in lower case', { ...decline, merchantCountry: 'us' }, {}],
		['a large reversal', { amount: '5000.00', isReversal: true }, {}],
		['a large refund', { amount: '5000.00', amountDirection: 'credit' }, {}],
		['an event with hardly any fields', { isSuccess: undefined, amount: undefined }, {}],
		['a decline after one within the hour', decline, declinesBefore(1)],
		[
			'a large clearing of a purchase that was large before',
			{ amount: '5000.00', transactionId: 'one' },
			earlier({ transactionId: 'one' }),
		],
	])('does not freeze after %s', (_, changes, results) => {
		expect(run(changes, results).steps).not.toContain('Freeze the card');
	});

	it.each<[string, object, Record<string, Json[]>, string]>([
		['a decline abroad', { ...decline, merchantCountry: 'RO' }, {}, 'declined outside US'],
		[
			'a decline in an unknown country',
			{ ...decline, merchantCountry: undefined },
			{},
			'declined outside US',
		],
		['a large purchase', { amount: '1000.00' }, {}, 'an amount of 1000.00 or more'],
		['a far larger purchase', { amount: '20000.00' }, {}, 'an amount of 1000.00 or more'],
		[
			'a third decline in an hour',
			decline,
			declinesBefore(2),
			'3 or more declines within one hour',
		],
		[
			'a large purchase after another one',
			{ amount: '5000.00' },
			earlier({ transactionId: 'other' }),
			'an amount of 1000.00 or more',
		],
		[
			'a large purchase whose events cannot be read',
			{ amount: '1000.00' },
			{ 'Large approvals': [failure] },
			'an amount of 1000.00 or more',
		],
	])('freezes after %s, and says why', (_, changes, results, why) => {
		const [text] = run(changes, results).texts('Message');
		expect(text).toContain(`Froze Travel (•••• 0042) (ID a-card)\nWhy: ${why}\n`);
	});

	it('tells all of an event, and leaves empty what is not known', () => {
		const about = (changes: object) => run({ amount: '1000.00', ...changes }).texts('Message');
		const [text] = about({ merchantCountry: 'RO' });
		expect(text).toContain(
			'\nApproved: 1 000.00 USD at Corner Bakery (RO)\nTime: 1 May 2026, 14:00 GMT+2\nIf ',
		);
		expect(about({ merchantName: undefined, merchantCountry: undefined })).toEqual([
			expect.stringContaining('\nApproved: 1 000.00 USD\n'),
		]);
		for (const createdAt of [undefined, 'yesterday']) {
			expect(about({ createdAt })).toEqual([expect.stringContaining('\nTime: \n')]);
		}
	});

	it.each<[string, Record<string, Json[]>, string]>([
		[
			'says that it froze a card that it could not look up',
			{ 'Freeze the card': [{ id: 'a-card', status: 'frozen', summary: 'Froze a card' }] },
			'Message',
		],
		[
			'says that a card could not be frozen, and fails',
			{ 'Freeze the card': [failure] },
			'Fail the execution',
		],
		[
			'says nothing of a card that was frozen before',
			{ 'Freeze the card': [{ ...frozen, previousStatus: 'frozen', changed: false }] },
			'Changed or failed?',
		],
		[
			'says nothing of an archived card, so that the event is not delivered again',
			{ 'Freeze the card': [{ error: 'The card is archived' }] },
			'Changed or failed?',
		],
	])('%s', (_, results, last) => {
		const { steps, texts } = run({ amount: '1000.00' }, results);
		expect(
			steps.filter((step) => !['Send e-mail', 'Could not freeze?'].includes(step)).at(-1),
		).toBe(last);
		if (last === 'Fail the execution') {
			expect(texts('Message')).toEqual([
				expect.stringMatching(
					/^COULD NOT FREEZE the card \(ID a-card\)\n[^]*What went wrong: Forbidden$/,
				),
			]);
		}
	});
});
