import crypto, { createHmac } from 'node:crypto';

import { toSigningKey } from '../../nodes/CardPlatform/webhook/signingKeys';
import { isSigned, parseSignatures } from '../../nodes/CardPlatform/webhook/verify';

const body = Buffer.from('{"id":"1","amount":"12.50"}');
const digest = (secret: string, bytes: Buffer = body) =>
	createHmac('sha256', secret).update(bytes).digest('hex');
const accepts = (header: string, ...secrets: string[]) =>
	isSigned(body, parseSignatures(header), secrets.map(toSigningKey));

const fresh = `v0=${digest('new')}`;
const old = `v0=${digest('old')}`;

test('the signature is the one that RFC 4231, test case 2, gives', () => {
	const data = Buffer.from('what do ya want for nothing?');
	const header = 'v0=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
	expect(isSigned(data, parseSignatures(header), [toSigningKey('Jefe')])).toBe(true);
});

test.each([
	['the signature', fresh],
	['new, then old', `${fresh},${old}`],
	['old, then new', `${old},${fresh}`],
	['blanks round the comma', `${old} , ${fresh}`],
	['commas too many', `,,${fresh},`],
	['a wrong one first', `v0=${digest('other')},${fresh}`],
	['an unknown scheme beside it', `v1=abc,${fresh}`],
	['the same twice', `${fresh},${fresh}`],
])('accepted: %s', (_name, header) => {
	expect(accepts(header, 'new')).toBe(true);
});

test('accepted with either secret during a rotation', () => {
	expect(accepts(fresh, 'new', 'old')).toBe(true);
	expect(accepts(old, 'new', 'old')).toBe(true);
	expect(accepts(old, 'new')).toBe(false);
});

test.each([
	['nothing', ''],
	['blank', '   '],
	['only the scheme', 'v0'],
	['an empty digest', 'v0='],
	['no scheme', digest('new')],
	['an equals sign first', `=${digest('new')}`],
	['only commas', ',,,'],
	['another scheme', `v1=${digest('new')}`],
	['an upper-case scheme', `V0=${digest('new')}`],
	['a hash name as scheme', `sha256=${digest('new')}`],
	['upper-case digits', `v0=${digest('new').toUpperCase()}`],
	['63 digits', fresh.slice(0, -1)],
	['65 digits', `${fresh}0`],
	['junk at the end', `${fresh}=junk`],
	['a semicolon', `${fresh};${old}`],
	['base64', `v0=${createHmac('sha256', 'new').update(body).digest('base64')}`],
	['64 letters that are no hex digits', `v0=${'g'.repeat(64)}`],
	['64 characters outside ASCII', `v0=${'é'.repeat(64)}`],
	['full-width digits', `v0=${'０'.repeat(64)}`],
	['zeros', `v0=${'0'.repeat(64)}`],
	['another secret', `v0=${digest('other')}`],
	['another body', `v0=${digest('new', Buffer.from('{"amount":"12.50","id":"1"}'))}`],
	['the right one in place 17', `${'v0=,'.repeat(16)}${fresh}`],
])('refused: %s', (_name, header) => {
	expect(accepts(header, 'new')).toBe(false);
});

test('accepted in place 16', () => {
	expect(accepts(`${'v0=,'.repeat(15)}${fresh}`, 'new')).toBe(true);
});

describe('the comparison', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test.each([
		['the first', `${fresh},v0=${digest('x')},v0=${digest('y')}`],
		['the last', `v0=${digest('x')},v0=${digest('y')},${fresh}`],
		['none', `v0=${digest('x')},v0=${digest('y')},v0=${digest('z')}`],
	])('takes constant time, and each key with each signature, where %s matches', (_name, header) => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		// No other way to compare may take part.
		const others = [
			jest.spyOn(Buffer.prototype, 'equals'),
			jest.spyOn(Buffer.prototype, 'compare'),
			jest.spyOn(Buffer, 'compare'),
		];
		const signatures = parseSignatures(header);
		isSigned(body, signatures, ['new', 'old'].map(toSigningKey));
		const compared = compare.mock.calls.map((pair) =>
			pair.map((bytes) =>
				Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'),
			),
		);
		const expected = ['new', 'old'].flatMap((secret) =>
			signatures.map((signature) => [digest(secret), signature.toString('hex')]),
		);
		expect(compared).toEqual(expected);
		for (const other of others) expect(other).not.toHaveBeenCalled();
	});
});

test('refused without a key', () => {
	expect(accepts(fresh)).toBe(false);
});
