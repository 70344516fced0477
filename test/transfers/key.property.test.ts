import fc from 'fast-check';

import { transferParameters } from '../../dev/harness/transferApi';
import { readKey } from '../../nodes/CardPlatform/actions/account/idempotencyKey';
import type { ReadField } from '../../nodes/CardPlatform/api/field';
import { createContext, type ExecuteOptions, newExecution, useFakeClock } from '../support/execute';
import { fakeApi } from '../support/fakeApi';

useFakeClock();

const api = fakeApi(() => ({}));

/** Two items that differ in each value, but not in its first characters or its length. */
const itemOf = (n: number) => ({
	id: `INV-${n}`,
	n,
	'a b': `AB-${n}`,
	0: `C-${n}`,
	row: [`R-${n}`, n + 10],
	order: { id: `O-${n}`, lines: [{ id: `L-${n}` }, `M-${n}`] },
});
const [a, b] = [itemOf(1041), itemOf(1042)];

/** The key that an item gets: undefined if it is refused. */
function keyOf(key: string, items: object[], index: number, options: ExecuteOptions = {}) {
	const context = createContext(
		api,
		{ ...transferParameters, idempotencyKey: key },
		{
			items: items.map((each) => ({ ...each })),
			before: { name: 'Rows', items: items.map((each) => ({ ...each })) },
			workflowId: 'pay',
			...options,
		},
	);
	const get: ReadField = ({ name, displayName, parse }) =>
		parse(context.getNodeParameter(name, index), displayName, context.getTimezone());
	try {
		return readKey({ context, index, get });
	} catch {
		return undefined;
	}
}

const oneOf = (words: string) => fc.constantFrom(...words.split(' | '));

const format = fc
	.array(
		oneOf(
			"yyyy | yy | y | kkkk | q | MM | M | LL | MMM | WW | W | dd | d | ooo | E | HH | h | mm | ss | S | 'Q'",
		),
		{ minLength: 1, maxLength: 3 },
	)
	.chain((units) => oneOf(' - | / |  | . |  |  _ ').map((sign) => units.join(sign.trim())));
const goodFormat = oneOf(
	'yyyy | yyyy-MM | MM/yyyy | yyyy-MM-dd | dd.LL.yyyy | yyyyMMdd | yyyy-ooo | kkkk-WW | yyyy_q | yyyy-WW | WW | ddMMyyyy',
);
const moment = fc.oneof(
	fc
		.tuple(
			oneOf('$now | $today | DateTime.now()'),
			oneOf('toFormat | format'),
			fc.oneof(format, goodFormat),
		)
		.map(([root, method, written]) => `${root}.${method}(${JSON.stringify(written)})`),
	oneOf(
		'$now.toISODate() | $today.toISODate() | $now | $now.toISO() | $now.toMillis() | $now.year | $now.day | $now.second | Date.now() | +new Date | new Date() | Math.random() | $execution.id | $itemIndex | $runIndex | $position | $input.all().length | $now.startOf("week").toISODate() | $now.ts',
	),
);

const field = fc
	.tuple(
		oneOf(
			'$json | $json | $input.item.json | $("Rows").item.json | $(\'Rows\').item?.json | $("Rows").first().json | $("Rows").last().json | $("Rows").all()[0].json | $node["Rows"].json | $input.first().json | $input.all()[1].json',
		),
		fc.array(
			oneOf(
				'.id | .id | .n | ["a b"] | [ \'id\' ] | ?.id | ?.[\'id\'] | ["0"] | [0] | [1] | .row | .order | .lines | ?.[0] | .length | ["length"] | .gone | .trim() | .toString() | .slice(0, 3) | .split("-")[0] | .length.toString() | .constructor.name | .isEmpty() | .first() | .keys() | .hash() | .charAt(0) | [$itemIndex]',
			),
			{ minLength: 1, maxLength: 4 },
		),
	)
	.map(([root, path]) => root + path.join(''));

const goodField = oneOf(
	'$json.id | $json["a b"] | $json?.order?.id | $json.order.lines[0].id | $json.row[0] | $("Rows").item.json.n | $input.item.json[\'id\']',
);

const value = fc.oneof(
	{ weight: 6, arbitrary: goodField },
	{ weight: 4, arbitrary: field },
	{ weight: 3, arbitrary: moment },
	oneOf(
		'"x" | 7 | $workflow.id | $workflow.name | $fromAI("id") | $fromAI("gone", "", "string", "y") | $vars.x | $json',
	),
);

/** Also what joins, computes, replaces and compares. */
const code = fc.oneof(
	{ weight: 2, arbitrary: value },
	fc
		.tuple(
			oneOf(
				'A + B | "INV-" + A | A + "" | A ?? B | A ?? "none" | A || B | A && B | `INV-${A}` | String(A) | (A) | !A | typeof A | A, B | A; B | A ? B : B | [A].join() | A // B | A /* B */ | [A, B][0] | ({ A: 1 }) | $if(A, A, B) | JSON.stringify(A).length | A\n | \tA',
			),
			value,
			value,
		)
		.map(([shape, one, other]) => shape.replaceAll('A', one).replaceAll('B', other)),
);

const key = fc
	.tuple(
		oneOf(' | INV- | a '),
		code,
		oneOf(' | - |   | -fee'),
		fc.option(code, { nil: '' }),
		oneOf(' | -x'),
	)
	.map(([start, first, between, second, end]) =>
		['=', start, `{{ ${first} }}`, between, second && `{{${second}}}`, end].join(''),
	);

/** Everything that may be different when a payment is repeated, on the same day. */
const atDifferentTimes = (written: string) => {
	jest.setSystemTime(Date.UTC(2026, 10, 21, 12));
	const first = keyOf(written, [a, b], 0);
	jest.setSystemTime(Date.UTC(2026, 10, 21, 15, 23, 45, 678));
	const options = { execution: newExecution('77'), runIndex: 2 };
	return [first, keyOf(written, [a, b], 0, options), keyOf(written, [b, a], 1, options)];
};

const NUM_RUNS = Number(process.env.RUNS ?? 400);

test('no accepted key has two values for one payment, nor one for two items that differ in its field', () => {
	let [tried, accepted] = [0, 0];
	fc.assert(
		fc.property(key, (written) => {
			tried++;
			const keys = atDifferentTimes(written).filter((each) => each !== undefined);
			expect(new Set(keys).size).toBeLessThanOrEqual(1);
			const [one, other] = [0, 1].map((index) => keyOf(written, [a, b], index));
			if (one === undefined || other === undefined) return;
			accepted++;
			const hasField = /\$(json|input|\(|node|fromAI)/.test(written);
			expect({ written, isShared: one === other }).toEqual({ written, isShared: !hasField });
		}),
		{ numRuns: NUM_RUNS },
	);
	// Otherwise the test says nothing. A test of mutations tries fewer.
	expect(accepted).toBeGreaterThan(tried / 20);
});

test('a date has one value for each of its periods, and no value for two', () => {
	let [tried, accepted] = [0, 0];
	const day = fc.integer({ min: 0, max: 3_000 });
	const dated = fc
		.tuple(fc.oneof(format, goodFormat), oneOf('toFormat | format'))
		.map(([written, method]) => `=p-{{ $now.${method}('${written.replaceAll("'", '')}') }}`);
	fc.assert(
		fc.property(dated, day, day, day, (written, ...days) => {
			tried++;
			const keys = days
				.toSorted((one, other) => one - other)
				.map((each) => {
					jest.setSystemTime(Date.UTC(2024, 0, 1, 12) + each * 86_400_000);
					return keyOf(written, [a], 0);
				});
			const [first, between, last] = keys;
			if (first === undefined) return;
			accepted++;
			expect(keys).not.toContain(undefined);
			// A value that comes again is that of all days in between.
			if (first === last) expect(between).toBe(first);
		}),
		{ numRuns: NUM_RUNS },
	);
	expect(accepted).toBeGreaterThan(tried / 10);
});
