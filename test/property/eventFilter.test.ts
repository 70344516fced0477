import fc from 'fast-check';

import { compareDecimals, parseDecimal } from '../../nodes/CardPlatform/api/decimal';
import { matchesEvent, parseEventFilter } from '../../nodes/CardPlatform/api/eventFilter';

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
			const [first, second] = [parseDecimal(write(a)), parseDecimal(write(b))];
			if (first === undefined || second === undefined) throw new Error('not read');
			const difference = scaled(a) - scaled(b);
			const expected = difference < 0n ? -1 : Number(difference > 0n);
			expect(Math.sign(compareDecimals(first, second))).toBe(expected);
		}),
	);
});

test('no event makes a filter throw', () => {
	const filter = parseEventFilter(
		{ minimumAmount: '1', merchantName: 'a', currencies: 'USD', merchantCategoryCodes: '5812' },
		'approved,refunded',
	);
	const event = fc.dictionary(
		fc.constantFrom('amount', 'merchantName', 'currency', 'mcc', 'isSuccess', 'amountDirection'),
		fc.anything(),
	);
	fc.assert(
		fc.property(event, (each) => {
			expect(typeof matchesEvent(filter, each)).toBe('boolean');
		}),
	);
});
