import { cardEvent } from '../trigger/events';
import { readSteps, runSteps } from './steps';

const large = { amount: '500.00' };
const abroad = { merchantCountry: 'RO' };
const because = (...reasons: string[]) => ({ issues: reasons.map((reason) => ({ reason })) });

const file = readSteps('freeze-on-decline.json');

test.each<[string, object, 'freezes' | 'ends']>([
	['at home for 499.99', { amount: '499.99' }, 'ends'],
	['at home for 500.00', large, 'freezes'],
	['at home for 99.00, which is a larger string', { amount: '99.00' }, 'ends'],
	['at home for 20000.00', { amount: '20000.00' }, 'freezes'],
	['at home, in lower case', { merchantCountry: 'us' }, 'ends'],
	['abroad for 0.01', { ...abroad, amount: '0.01' }, 'freezes'],
	['in an unknown country', { merchantCountry: undefined }, 'freezes'],
	['in a country without a name', { merchantCountry: '' }, 'freezes'],
	['at home for an unknown amount', { amount: undefined }, 'ends'],
	['at home for 500.00, without reasons', { ...large, issues: undefined }, 'freezes'],
	['at home as fraud', { ...large, ...because('suspected_fraud') }, 'freezes'],
	['at home for lack of funds', { ...large, ...because('insufficient_funds') }, 'ends'],
	['at home for lack of credit', { ...large, ...because('insufficient_credit') }, 'ends'],
	['at home over the limit', { ...large, ...because('card_limit_exceeded') }, 'ends'],
	[
		'at home for two reasons',
		{ ...large, ...because('suspected_fraud', 'insufficient_funds') },
		'freezes',
	],
	['abroad for lack of funds', { ...abroad, ...because('insufficient_funds') }, 'freezes'],
])('"Freeze on suspicious decline", after a decline %s', (_, changes, outcome) => {
	const event = { ...cardEvent('card', { isSuccess: false, ...changes }) };
	const { steps } = runSteps(file, 'Declined purchase', event);
	const after = ['Freeze the card', 'What happened', 'Send e-mail'];
	expect(steps.slice(2)).toEqual(outcome === 'freezes' ? after : []);
});

test('"Freeze on suspicious decline" says that the country is unknown', () => {
	const event = cardEvent('card', { isSuccess: false, merchantCountry: undefined });
	const { texts } = runSteps(file, 'Declined purchase', { ...event });
	expect(texts('What happened')).toEqual([
		expect.stringMatching(/\nMerchant: .+, unknown country\n/),
	]);
});
