import { isFresh, parseTimestamp } from '../../nodes/CardPlatform/webhook/timestamp';

const noon = Date.UTC(2026, 10, 21, 12);

test.each([
	['2026-11-21T12:00:00Z', noon],
	['2026-11-21t12:00:00z', noon],
	['2026-11-21T12:00:00.250Z', noon + 250],
	['2026-11-21T12:00:00.123456789Z', noon + 123],
	['2026-11-21T13:00:00+01:00', noon],
	['2026-11-21T06:30:00-05:30', noon],
	['2026-11-22T11:59:00+23:59', noon],
	['2026-11-22T07:00:00+19:00', noon],
	['2026-11-20T16:00:00-20:00', noon],
	['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
	['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
])('%s is read', (text, expected) => {
	expect(parseTimestamp(text)).toBe(expected);
});

test.each([
	'',
	'now',
	'1795262400',
	'2026-11-21',
	'2026-11-21T12:00:00',
	'2026-11-21 12:00:00Z',
	'2026-11-21T12:00Z',
	'2026-02-30T12:00:00Z',
	'2026-11-21T24:00:00Z',
	'2026-11-21T12:60:00Z',
	'2026-11-21T12:00:61Z',
	'2026-11-21T12:00:00+24:00',
	'2026-11-21T12:00:00+30:00',
	'2026-11-21T12:00:00+1:00',
	'x2026-11-21T12:00:00Z',
	'2026-11-21T12:00:00Zx',
	'2026-11-21T12:00:00+01:60',
	'10000-01-01T00:00:00Z',
	'+010000-01-01T00:00:00Z',
	'Sat, 21 Nov 2026 12:00:00 GMT',
	' 2026-11-21T12:00:00Z',
])('%j is not RFC 3339', (text) => {
	expect(parseTimestamp(text)).toBeUndefined();
});

test.each([
	[300, true],
	[-300, true],
	[300.001, false],
	[-300.001, false],
	[301, false],
	[-301, false],
])('%d s away from now, within 300 s: %p', (seconds, expected) => {
	expect(isFresh(noon + seconds * 1000, noon, 300)).toBe(expected);
});

test('tolerance 0 switches the check off', () => {
	expect(isFresh(0, noon, 0)).toBe(true);
});
