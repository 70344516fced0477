import { cardEvent } from '../trigger/events';
import { readSteps, runSteps } from './steps';

const file = readSteps('slack-alert-on-declines.json');
const known = { name: 'Travel', lastFour: '0042' };

test.each<[string, object, object, string[]]>([
	[
		'a merchant and reasons',
		{ issues: [{ reason: 'a' }, { origin: 'network' }, { reason: 'b' }] },
		known,
		['12.30 USD', 'Corner Bakery', 'US', 'Travel (…0042)', 'a, b'],
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
])('"Slack alert on declines" reads well with %s', (_, changes, card, told) => {
	const [amount, merchant, country, name, reason] = told;
	const event = { ...cardEvent('a-card', { isSuccess: false, ...changes }) };
	const { texts } = runSteps(file, 'Declined purchase', event, {
		'Look up the card': [{ ...card }],
	});
	expect(texts('Write the message')).toEqual([
		[
			`Declined: ${amount}`,
			`Merchant: ${merchant}`,
			`Country: ${country}`,
			`Card: ${name}`,
			`Reason: ${reason}`,
			'https://dashboard.example.com/cards/a-card',
		].join('\n'),
	]);
});
