import { findSecretProblem, toKeys } from '../../nodes/CardPlatform/webhook/keys';
import { parseOptions, triggerProperties } from '../../nodes/CardPlatform/webhook/properties';
import { parseTriggerFilters } from '../../nodes/CardPlatform/events/filter';
import { userErrorOf } from '../support/userErrorOf';

const defaults = {
	deduplicate: true,
	deduplicationWindow: 1_000,
	maximumEventAge: 0,
	futureTimestampTolerance: 300,
	timestampTolerance: 300,
};

test.each([[undefined], [null], [''], [{}], [[]]])('options %j are the defaults', (value) => {
	expect(parseOptions(value)).toEqual(defaults);
});

test('the form shows the same defaults', () => {
	const options = triggerProperties.find(({ name }) => name === 'options')?.options ?? [];
	const shown = options.flatMap((each) =>
		'default' in each ? [[each.name, each.default] as const] : [],
	);
	expect(Object.fromEntries(shown)).toEqual(defaults);
});

test('the options that hints name are those of the form', () => {
	const options = triggerProperties.find(({ name }) => name === 'options')?.options ?? [];
	const labels = new Map(
		options.flatMap((each) => ('displayName' in each ? [[each.name, each.displayName]] : [])),
	);
	for (const [name, label] of labels) {
		const { hint } = userErrorOf(() => parseOptions({ [name]: {} }));
		expect(hint).toContain(`"${label}" must be `);
	}
});

test('options are taken as they are set', () => {
	const options = {
		deduplicate: false,
		deduplicationWindow: 1,
		maximumEventAge: 0.5,
		futureTimestampTolerance: 60,
		timestampTolerance: 0,
	};
	expect(parseOptions(options)).toEqual(options);
	expect(parseOptions({ deduplicationWindow: 100_000 }).deduplicationWindow).toBe(100_000);
});

test.each([
	['deduplicate', 'yes', '"Deduplicate"'],
	['deduplicationWindow', 0, '"Deduplication Window"'],
	['deduplicationWindow', 1.5, '"Deduplication Window"'],
	['deduplicationWindow', 100_001, '"Deduplication Window"'],
	['maximumEventAge', -1, '"Maximum Event Age (Hours)"'],
	['maximumEventAge', '24', '"Maximum Event Age (Hours)"'],
	['futureTimestampTolerance', -1, '"Timestamp Tolerance, Future (Seconds)"'],
	['timestampTolerance', -1, '"Timestamp Tolerance, Past (Seconds)"'],
	['timestampTolerance', Infinity, '"Timestamp Tolerance, Past (Seconds)"'],
	['timestampTolerance', '300', '"Timestamp Tolerance, Past (Seconds)"'],
])('option %s: %j is refused', (name, value, label) => {
	const { message, hint } = userErrorOf(() => parseOptions({ [name]: value }));
	expect(message).toBe(`Invalid option value: ${name} ${JSON.stringify(value)}`);
	expect(hint).toContain(`${label} must be `);
});

test('several wrong options are told together', () => {
	const options = { deduplicate: 1, deduplicationWindow: -0.5, timestampTolerance: 5 };
	const { message, hint } = userErrorOf(() => parseOptions(options));
	expect(message).toBe('Invalid option value: deduplicate 1, deduplicationWindow -0.5');
	expect(hint).toBe(
		'"Deduplicate" must be true or false. "Deduplication Window" must be a whole number from 1 to 100000.',
	);
});

test('filters that are no collection do not filter', () => {
	expect(parseTriggerFilters('', 'all')({ currency: 'EUR' })).toBe(true);
	expect(parseTriggerFilters({ currencies: 'USD' }, 'all')({ currency: 'EUR' })).toBe(false);
});

test('secrets become keys, without blanks round them; blank ones do not', () => {
	const keys = toKeys({ signingSecret: ' new\n', previousSigningSecret: '\t' });
	expect(keys.map((key) => key.export().toString())).toEqual(['new']);
	expect(toKeys({ signingSecret: 7, previousSigningSecret: undefined })).toEqual([]);
	expect(toKeys({ signingSecret: 'a', previousSigningSecret: 'b' })).toHaveLength(2);
});

test.each([
	[{ signingSecret: 'new' }, undefined],
	[{ signingSecret: ' new\n', previousSigningSecret: '' }, undefined],
	[{ signingSecret: 'new', previousSigningSecret: 'old' }, undefined],
	[{}, 'empty'],
	[{ signingSecret: '' }, 'empty'],
	[{ signingSecret: ' \n' }, 'empty'],
	[{ signingSecret: 7 }, 'empty'],
	[{ signingSecret: '', previousSigningSecret: 'old' }, 'empty'],
	[{ signingSecret: 'ne w' }, 'white space'],
	[{ signingSecret: 'new', previousSigningSecret: 'o\nld' }, 'white space'],
])('the secrets %j: %s', (credential, says) => {
	const problem = findSecretProblem(credential);
	if (says === undefined) expect(problem).toBeUndefined();
	else expect(problem).toContain(says);
	expect(problem ?? '').not.toMatch(/ne w|o\nld/);
});
