import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { toDecimal } from '../../nodes/CardPlatform/api/values';
import {
	parseEventTypes,
	refuseAllAndOthers,
	selectEvents,
} from '../../nodes/CardPlatform/events/eventTypes';
import { eventTypes } from '../../nodes/CardPlatform/events/fields';
import { FILTERS as eventFilters } from '../../nodes/CardPlatform/events/filters';
import { parseTriggerFilters } from '../../nodes/CardPlatform/webhook/properties';
import { userErrorOf } from '../support/userErrorOf';

const card = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

const event = {
	id: 'e1',
	cardId: card,
	amount: '99.95',
	amountDirection: 'debit',
	currency: 'USD',
	category: 'airlines',
	isReversal: false,
	isSuccess: true,
	mcc: '0742',
	merchantName: 'Grand Hôtel Zürich',
	merchantCountry: 'CH',
};

const passes = (filters: Record<string, unknown>, changes: object = {}, events: unknown = 'all') =>
	parseTriggerFilters(filters, events, false).matches({ ...event, ...changes });

const types = ['all', 'approved', 'declined', 'refunded', 'reversed'];

describe('types of events', () => {
	const typesOf = (changes: object) => types.filter((type) => passes({}, changes, [type]));

	test.each<[string, object, string[]]>([
		['a purchase', {}, ['approved']],
		['a decline', { isSuccess: false }, ['declined']],
		['a refund', { amountDirection: 'credit' }, ['refunded']],
		['a declined refund', { isSuccess: false, amountDirection: 'credit' }, ['declined']],
		['a reversal', { isReversal: true }, ['reversed']],
		['a reversal that is a credit', { isReversal: true, amountDirection: 'credit' }, ['reversed']],
		['a failed reversal', { isReversal: true, isSuccess: false }, ['declined', 'reversed']],
		['texts for booleans', { isSuccess: 'false', isReversal: 'true' }, []],
		['no isReversal', { isReversal: undefined }, ['approved']],
		['a decline without isReversal', { isSuccess: false, isReversal: null }, ['declined']],
	])('%s', (_name, changes, expected) => {
		expect(typesOf(changes)).toEqual(['all', ...expected]);
	});

	test('several are alternatives', () => {
		expect(passes({}, {}, ['declined', 'approved'])).toBe(true);
		expect(passes({}, {}, ['declined', 'reversed'])).toBe(false);
		expect(passes({}, {}, 'declined, approved')).toBe(true);
	});

	test('All Events beside others lets everything through, but is not published', () => {
		expect(passes({}, {}, ['declined', 'all'])).toBe(true);
		for (const events of [['declined', 'all'], 'all, declined']) {
			const { message, hint } = userErrorOf(() => refuseAllAndOthers(events));
			expect(message).toBe('Trigger On has "All Events" and other choices');
			expect(hint).toContain('Remove "All Events", or');
		}
	});

	test.each([[['all']], ['all'], [['all', 'all']], [['declined', 'approved']]])(
		'%j can be published',
		(events) => expect(() => refuseAllAndOthers(events)).not.toThrow(),
	);

	test.each<[unknown, string]>([
		[['sold'], 'Trigger On has an invalid value: "sold"'],
		[['all', 'sold'], 'Trigger On has an invalid value: "sold"'],
		[{}, 'Trigger On is not a list: {}'],
		[[{}], 'Trigger On is not a list: {}'],
	])('%j is refused', (events, says) => {
		const { message, hint } = userErrorOf(() => parseEventTypes(events, 'Trigger On', false));
		expect(message).toBe(says);
		expect(hint).toContain('one or more of all, approved, declined, refunded, reversed');
	});
});

describe('once per purchase', () => {
	const authorization = { ...event, id: 'authorization', transactionId: 't1', amount: '1.00' };
	const clearing = { ...authorization, id: 'clearing', amount: '99.95' };
	const other = { ...authorization, id: 'other', transactionId: 't2' };
	const refund = { ...authorization, id: 'refund', amountDirection: 'credit' };
	const secondRefund = { ...refund, id: 'secondRefund' };
	const decline = { ...authorization, id: 'decline', isSuccess: false };
	const secondDecline = { ...decline, id: 'secondDecline' };
	const newestFirst = [clearing, secondRefund, refund, other, authorization];
	const withDeclines = [secondDecline, decline, ...newestFirst];
	const steps = [clearing, authorization];
	const large = { filters: { minimumAmount: '50' } };

	/** What is chosen, how, of which events, and what is selected of them. */
	test.each<
		[string, unknown, { everyApproval?: boolean; filters?: object }, (typeof event)[], string]
	>([
		['the first approval counts', 'approved', {}, newestFirst, 'other authorization'],
		['the first that passes the filters', 'approved', large, newestFirst, 'clearing'],
		['each decline', 'declined', {}, withDeclines, 'secondDecline decline'],
		['each refund', 'refunded', {}, newestFirst, 'secondRefund refund'],
		['both', 'approved,refunded', {}, newestFirst, 'secondRefund refund other authorization'],
		['each step', 'approved', { everyApproval: true }, steps, 'clearing authorization'],
		['each with All Events', 'all', {}, steps, 'clearing authorization'],
		['each with All Events beside it', ['approved', 'all'], {}, steps, 'clearing authorization'],
	])('%s', (_name, events, { everyApproval = false, filters = {} }, of, ids) => {
		const selected = selectEvents(of, parseTriggerFilters(filters, events, everyApproval));
		expect(selected.map(({ id }) => id)).toEqual(ids.split(' '));
	});

	test.each([undefined, null, '', 7])(
		'without a transaction (%j), each approval is a purchase',
		(transactionId) => {
			const of = [clearing, authorization].map((each) => ({ ...each, transactionId }));
			expect(selectEvents(of, parseEventTypes('approved', 'Trigger On', false))).toEqual(of);
		},
	);
});

describe('filters', () => {
	test.each<[string, unknown, object, boolean]>([
		['cardIds', card, {}, true],
		['cardIds', ` ${card.toUpperCase()} `, {}, true],
		['cardIds', ['6f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10', card], {}, true],
		['cardIds', '6f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10', {}, false],
		['cardIds', card, { cardId: undefined }, false],
		['currencies', 'eur,usd', {}, true],
		['categories', 'Airlines', {}, true],
		['categories', ['lodging', 'saas_software'], {}, false],
		['merchantCategoryCodes', '0742', {}, true],
		['merchantCategoryCodes', [5812], { mcc: '5812' }, true],
		['merchantCountries', 'de, ch', {}, true],
		['merchantCountries', 'CHE', {}, false],
		['merchantCountries', '756', { merchantCountry: '756' }, true],
		['excludeMerchantCountries', 'de, ch', {}, false],
		['excludeMerchantCountries', 'Ch', { merchantCountry: 'cH' }, false],
		['excludeMerchantCountries', ['US', 'DE'], {}, true],
		['excludeMerchantCountries', 'CHE', {}, true],
		['excludeMerchantCountries', 'CH', { merchantCountry: undefined }, true],
		['merchantName', 'hôtel', {}, true],
		['merchantName', ' GRAND ', {}, true],
		['merchantName', 'ho\u0302tel', {}, true],
		['maximumAmount', '99.95', {}, true],
		['maximumAmount', '99.94', {}, false],
		['minimumAmount', '99.95', {}, true],
		['minimumAmount', 99.95, {}, true],
		['minimumAmount', '0', { amount: 'unknown' }, false],
		['minimumAmount', '5', { amount: 7 }, true],
		// By its size: a refund may have a sign.
		['minimumAmount', '5', { amount: '-7' }, true],
		['minimumAmount', '5', { amount: '-4.99' }, false],
		['minimumAmount', '100000000000000000000', { amount: '0100000000000000000000.000' }, true],
		['minimumAmount', '100000000000000000000', { amount: '99999999999999999999.99' }, false],
		['minimumAmount', '0.3', { amount: '0.2999999999999' }, false],
		['minimumAmount', '5', { amount: [7] }, false],
		['merchantName', 'bakery', { merchantName: undefined }, false],
		['merchantName', 'bakery', { merchantName: ['bakery'] }, false],
		['currencies', 'USD', { currency: ['USD'] }, false],
		['currencies', 'USD', { currency: ' usd ' }, true],
	])('%s: %j, of an event with %j: %p', (name, value, changes, expected) => {
		expect(passes({ [name]: value }, changes)).toBe(expected);
	});

	const all = {
		cardIds: card,
		maximumAmount: '500',
		minimumAmount: '50',
		currencies: 'USD',
		categories: 'airlines',
		merchantCategoryCodes: '0742',
		excludeMerchantCountries: 'US',
		merchantCountries: 'CH, US',
		merchantName: 'hôtel',
	};

	test('an event has to pass all of them', () => {
		const exact = { minimumAmount: '99.95', maximumAmount: '99.95' };
		for (const bounds of [{}, exact])
			expect(passes({ ...all, ...bounds }, {}, ['approved'])).toBe(true);
	});

	test.each([
		[{ cardId: 'other' }],
		[{ amount: '49.99' }],
		[{ amount: '500.01' }],
		[{ currency: 'EUR' }],
		[{ category: 'lodging' }],
		[{ mcc: '5812' }],
		[{ merchantCountry: 'US' }],
		[{ merchantName: 'Corner Bakery' }],
		[{ isSuccess: false }],
	])('with %j it passes all but one', (changes) => {
		expect(passes(all, changes, ['approved'])).toBe(false);
	});

	test('the form has exactly these', () => {
		expect(eventFilters.map(({ name }) => name).sort()).toEqual(Object.keys(all).sort());
		const shown = (eventTypes.options ?? []).flatMap((each) =>
			'value' in each ? [each.value] : [],
		);
		expect(shown).toEqual(types);
	});

	test.each([
		['cardIds', 'my card', 'Card IDs', '"my card"', 'card IDs'],
		['cardIds', `${card}0`, 'Card IDs', `"${card}0"`, 'card IDs'],
		['currencies', 'USD,dollars', 'Currencies', '"dollars"', 'such as USD or EUR'],
		['categories', [true], 'Categories', 'true', 'categories as'],
		['categories', '["airlines"]', 'Categories', 'airlines', 'categories as'],
		['merchantCategoryCodes', '742', 'Merchant Category Codes', '"742"', 'four-digit'],
		['merchantCountries', 'Switzerland', 'Countries', '"Switzerland"', 'ISO 3166'],
		['excludeMerchantCountries', 'home', 'Exclude Countries', '"home"', 'ISO 3166'],
		['minimumAmount', 'lots', 'Minimum Amount', '"lots"', '0 or more'],
		['minimumAmount', '-1', 'Minimum Amount', '"-1"', '0 or more'],
		['merchantName', ['a'], 'Merchant Name', '["a"]', 'a string or a number'],
	])('%s: %j is refused', (name, value, label, shown, takes) => {
		const { message, hint } = userErrorOf(() =>
			parseTriggerFilters({ [name]: value }, 'all', false),
		);
		expect(message).toContain(label);
		expect(message).toContain(shown);
		expect(hint).toContain(takes);
	});
});

// Those of filters have all others.
test.each([
	['+3', '3'],
	['5.', '5'],
	['-0.0', '0'],
])('%s is %s', (a, b) => {
	const [first, second] = [toDecimal(a), toDecimal(b)];
	if (first === undefined || second === undefined) throw new Error('not read');
	expect(first).toBe(second);
});

test.each(['', ' ', '.5', '1e3', '0x10', '1,5', '1_000', '--1', '1.2.3', 'NaN', '١', '$5', '1 0'])(
	'%j is not a decimal',
	(text) => {
		expect(toDecimal(text)).toBeUndefined();
	},
);

test('an event may lack every field, have null for any, and have others', () => {
	expect(eventSchema.parse({})).toEqual({});
	const odd = { id: null, issues: [{ reason: 'x', more: 1 }], later: { a: 1 } };
	expect(eventSchema.parse(odd)).toEqual(odd);
});
