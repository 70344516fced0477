import { DateTime } from 'luxon';

import { cardEvent } from '../trigger/events';
import { readSteps, runSteps } from './steps';

const file = readSteps('alert-on-declines.json');
const known = { name: 'Travel', lastFour: '0042' };

test.each<[string, object, object, string[]]>([
	[
		'a merchant and reasons',
		{ issues: [{ reason: 'suspected_fraud' }, { origin: 'network' }, { reason: 'b' }] },
		known,
		['12.30 USD', 'Corner Bakery', 'US', 'Travel (…0042)', 'suspected fraud, b'],
	],
	[
		'no merchant and no amount',
		{ merchantName: undefined, merchantCountry: undefined, amount: undefined },
		known,
		[' USD', '', '', 'Travel (…0042)', ''],
	],
	[
		'nothing but the card',
		{
			merchantName: '',
			merchantCountry: undefined,
			amount: undefined,
			currency: undefined,
			issues: undefined,
		},
		known,
		[' ', '', '', 'Travel (…0042)', ''],
	],
	[
		'a card that nobody knows',
		{},
		{ error: 'not found' },
		['12.30 USD', 'Corner Bakery', 'US', 'a-card, which could not be looked up', ''],
	],
])('"Alert on declines" reads well with %s', (_, changes, card, told) => {
	const [amount, merchant, country, name, reason] = told;
	const createdAt = '2026-11-03T17:05:00.000Z';
	const event = { ...cardEvent('a-card', { isSuccess: false, createdAt, ...changes }) };
	const results = { 'Look up the card': [{ ...card }] };
	const now = DateTime.fromISO(createdAt, { zone: 'Europe/Berlin' });
	const { texts } = runSteps(file, 'Declined purchase', event, results, now);
	expect(texts('Write the message')).toEqual([
		[
			`Declined: ${amount}`,
			`Merchant: ${merchant}`,
			`Country: ${country}`,
			`Card: ${name}`,
			`Reason: ${reason}`,
			'Time: 3 Nov 2026, 18:05 GMT+1',
			'https://dashboard.example.com/cards/a-card',
		].join('\n'),
	]);
});
