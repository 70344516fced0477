import fc from 'fast-check';

import { toDecimal } from '../../nodes/CardPlatform/api/values';
import { parseTriggerFilters } from '../../nodes/CardPlatform/events/triggerParameters';

const SCALE = 12;

const sized = fc.record({
	value: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
	places: fc.nat({ max: SCALE }),
	zeros: fc.record({ before: fc.nat({ max: 3 }), after: fc.nat({ max: 3 }) }),
});

/** Writes value / 10^places, with zeros that change nothing. */
function write({
	value,
	places,
	zeros,
}: {
	value: bigint;
	places: number;
	zeros: { before: number; after: number };
}) {
	const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
	const fraction = digits.slice(digits.length - places);
	const point = places === 0 ? '' : `.${fraction}${'0'.repeat(zeros.after)}`;
	const integer = digits.slice(0, digits.length - places);
	return `${value < 0n ? '-' : ''}${'0'.repeat(zeros.before)}${integer}${point}`;
}

const scaled = ({ value, places }: { value: bigint; places: number }) =>
	value * 10n ** BigInt(SCALE - places);

test('decimals compare as the numbers that they are, however long', () => {
	fc.assert(
		fc.property(sized, sized, (a, b) => {
			const [first, second] = [toDecimal(write(a)), toDecimal(write(b))];
			if (first === undefined || second === undefined) throw new Error('not read');
			expect(first >= second).toBe(scaled(a) >= scaled(b));
		}),
	);
});

const anything = fc.oneof(
	fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
	fc.constant(undefined),
);

/** Values of a field that pass, and values that nearly do, or are anything at all. */
const field = (passing: fc.Arbitrary<unknown>, nearly: unknown[], other = anything) =>
	fc.oneof(
		{ weight: 8, arbitrary: passing.map((value) => ({ value, passes: true })) },
		{ weight: 1, arbitrary: fc.constantFrom(...nearly).map((value) => ({ value, passes: false })) },
		{ weight: 1, arbitrary: other.map((value) => ({ value, passes: false })) },
	);

test('no event makes a filter throw, and one passes if all of its fields do', () => {
	// Values that `anything` does not come upon.
	const { matches } = parseTriggerFilters(
		{
			minimumAmount: '100000000000000000000',
			merchantName: 'bakery',
			currencies: 'USD',
			merchantCategoryCodes: '5812,5814',
		},
		'approved,refunded',
		false,
	);
	const amounts = fc
		.tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 10n ** 20n, max: 10n ** 30n }))
		.map(([sign, each]) => `${sign}${each}.00`);
	const names = fc.tuple(fc.string(), fc.string()).map((ends) => ends.join('BakeRY'));
	const notReversed: unknown[] = [false, null, undefined];
	const event = fc.record({
		amount: field(amounts, ['99999999999999999999.99', '-99999999999999999999', 1e19, 1e21, []]),
		merchantName: field(names, ['bake ry', ['bakery'], { toString: 'bakery' }]),
		currency: field(fc.constantFrom('USD', 'usd', ' USD '), ['EUR', 'US', 'USDT', ['USD'], null]),
		mcc: field(fc.constantFrom('5812', '5814', 5812), ['5813', 581, '5812,5814', [5812]]),
		isSuccess: field(
			fc.constant(true),
			[false, 'true', 1, {}],
			anything.filter((value) => value !== true),
		),
		isReversal: field(
			fc.constantFrom(...notReversed),
			[true, 'false', '', 0, NaN],
			anything.filter((value) => !notReversed.includes(value)),
		),
		amountDirection: field(fc.constantFrom('debit', 'credit'), ['DEBIT', 'sideways', ['debit']]),
	});
	fc.assert(
		fc.property(event, (fields) => {
			const each = Object.entries(fields).map(([name, { value }]): [string, unknown] => [
				name,
				value,
			]);
			const expected = Object.values(fields).every((given) => given.passes);
			expect(matches(Object.fromEntries(each))).toBe(expected);
		}),
		{ numRuns: 1_000 },
	);
});
