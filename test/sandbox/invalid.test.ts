import { type Operation, operations } from '../support/openapi';
import { call, cardId, refused, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const CARD = { name: 'Travel Berlin', type: 'recurring' };
const TRANSFER = { amount: '1.00', toAccountId: 1002 };
const PURCHASE = { cardId: cardId(3), amount: '1.00' };
const ENDPOINT = { accountId: 1001, url: 'http://127.0.0.1/' };
const ACCOUNT = { id: 1, name: 'Berlin', creditLimit: '1.00' };
const TRAVEL = { name: 'Travel' };
const FOREIGN = { ...TRAVEL, accountId: 7 };
const BOUGHT = {
	card: 'Travel',
	merchant: 'hotel',
	amount: '1.00',
	hoursAgo: 1,
	outcome: 'settled',
};
const LONG = 'x'.repeat(256);
/** A change of a body that is accepted, and what the message then says. */
type Change = [change: object, said: string];

const seed = (data: object, said: string): Change => [{ seed: data }, said];
const fault = (rule: object, said = Object.keys(rule).at(-1) ?? ''): Change => [
	{ rules: [rule] },
	said,
];

/** A request, a body that it accepts, and what is invalid in it. */
const of = (request: string, valid: object, ...changes: Change[]) =>
	[request, valid, changes] as const;

const INVALID = [
	of(
		'POST /v1/public/cards',
		CARD,
		// Each of them is two units of a JavaScript string.
		[{ name: '💳'.repeat(256) }, 'name: must not be longer than 255 characters'],
		[{ type: null }, 'type: expected one of "single-use", "recurring"'],
		[{ category: 'pet' }, 'category: deprecated, use categories'],
	),
	of(
		`PATCH /v1/public/cards/${cardId(2)}`,
		{},
		[{ name: ' ' }, 'name'],
		[{ category: 'pet' }, 'category: deprecated, use categories'],
	),
	// §3: an archived card.
	of(`PATCH /v1/public/cards/${cardId(7)}`, {}, [{ name: 'x' }, 'archived']),
	of('PATCH /v1/public/accounts/1001', {}, [{}, 'name: required'], [{ name: ' ' }, 'name']),
	of(
		'POST /v1/public/accounts/1001/transfers',
		TRANSFER,
		[{ toAccountId: 1001 }, 'source account'],
		[{ toAccountId: 7 }, 'no account of this customer'],
		[{ amount: '0.00' }, 'greater than zero'],
		[{ amount: '400000.00' }, 'insufficient funds'],
	),
	of(
		'POST /sandbox/simulate/authorization',
		PURCHASE,
		[{ amount: 12.5 }, 'amount: expected string, received number'],
		[{ amount: 12.5, color: 'red' }, 'received number; unknown field "color"'],
		[{ currency: 'usd' }, 'currency'],
		[{ mcc: '58' }, 'mcc'],
		[{ cardId: '42' }, 'cardId'],
		[{ decline: {} }, 'decline.reason: required'],
		[{ decline: { reason: LONG } }, 'decline.reason: expected string to have <=255 characters'],
	),
	of(
		'POST /sandbox/simulate/clearing',
		{ transactionId: '7a5a0000-0000-4000-8000-000000000003' },
		[{ transactionId: '42' }, 'transactionId'],
		[{ amount: '0.00' }, 'greater than zero'],
	),
	of(
		'POST /sandbox/endpoints',
		ENDPOINT,
		[{ accountId: 1.5 }, 'accountId: expected int, received number'],
		[{ url: 'ftp://127.0.0.1/' }, 'url: expected an http or https URL'],
		[{ url: `http://a/${LONG.repeat(8)}` }, 'url: expected string to have <=2048 characters'],
		[{ retryTimestamp: 'old' }, 'retryTimestamp'],
	),
	of(
		'POST /sandbox/reset',
		{},
		[{ seed: 'huge' }, 'seed: expected one of "small", "none"'],
		seed({ accounts: [ACCOUNT, ACCOUNT] }, 'accounts.1.id: already used'),
		seed({ accounts: [{ ...ACCOUNT, id: 2 ** 53 }] }, 'seed.accounts.0.id: expected int to be <'),
		seed({ cards: [{}] }, 'seed.cards.0.name: required'),
		seed({ cards: [TRAVEL, TRAVEL] }, 'cards.1.name: already used'),
		seed({ cards: [FOREIGN] }, 'cards.0.accountId: no account of the seed has the ID 7'),
		seed({ cards: [TRAVEL], transactions: [BOUGHT] }, 'transactions.0.merchant: no merchant is'),
		seed({ merchants: { hotel: {} }, transactions: [BOUGHT] }, 'transactions.0.card: no card'),
		seed({ colour: 'red' }, 'seed: unknown field "colour"'),
	),
	of(
		'POST /sandbox/keys',
		{},
		[{ scope: 'all' }, 'scope: expected one of "customer", "account"'],
		[{ scope: 'account' }, 'accountId'],
	),
	of(
		'PUT /sandbox/accounts/1001/features',
		{},
		[{ webhook: true }, 'webhook'],
		[{ webhooks: 'yes' }, 'webhooks'],
	),
	of(
		'PUT /sandbox/clock',
		{},
		[{}, ''],
		[{ frozen: 'yes' }, 'frozen'],
		[{ now: 'tomorrow' }, 'now'],
		[{ now: '9999-01-01T00:00:00Z' }, ''],
		[{ now: '1970-01-01T00:00:00+00:01' }, ''],
		[{ advanceSeconds: '60' }, 'advanceSeconds'],
		[{ advanceSeconds: 1e300 }, ''],
		[{ advanceSeconds: 1, now: '2027-01-01T00:00:00Z' }, ''],
	),
	of(
		'PUT /sandbox/dialect',
		{},
		[{ dialect: 'klingon' }, 'dialect'],
		[{ dialect: { firstPage: 7 } }, 'firstPage'],
	),
	of(
		'PUT /sandbox/faults',
		{},
		fault({ kind: 'explode' }),
		fault({ kind: 'status' }, 'status'),
		fault({ kind: 'status', status: 200 }),
		fault({ kind: 'latency', ms: -1 }),
		fault({ kind: 'status', status: 429, retryAfter: 'later' }),
		fault({ kind: 'drop-before', path: 'cards' }),
		fault({ kind: 'drop-before', times: 0 }, 'times: expected number to be >0'),
		fault({ kind: 'duplicate', path: '/cards' }),
		fault({ kind: 'drop-after', path: '/v1/public/cards' }, 'path: leave out /v1/public'),
		...[
			{ path: '/card' },
			{ path: '/cards/a/freeze/b' },
			{ method: 'PUT' },
			{ path: '/balance', method: 'POST' },
		].map((scope) =>
			fault(
				{ kind: 'latency', ms: 1, ...scope },
				'rules.0: the API has no request with this method and path',
			),
		),
	),
];

/** The counts, the clock and the faults, as the control plane has them. */
const state = (sandbox: TestSandbox) =>
	Promise.all(['', '/clock', '/faults', '/dialect'].map((path) => sandbox.control('GET', path)));

test.each(INVALID)(
	'%s: what is invalid is a 400 that names it, and changes nothing',
	async (request, valid, changes) => {
		const sandbox = await startSandbox({ now: () => NOW });
		const before = await state(sandbox);
		const [method = '', path = ''] = request.split(' ');
		const headers = { authorization: `Bearer ${sandbox.apiKey}` };
		for (const [change, said] of changes) {
			const body = JSON.stringify({ ...valid, ...change });
			const answer = await call(method, sandbox.url + path, { headers, body });
			expect([change, answer]).toEqual([change, refused(said)]);
		}
		// Nothing of it was done.
		expect(await state(sandbox)).toEqual(before);
	},
);

test.each([
	['{', 'not JSON'],
	['[]', 'expected object'],
	['"Travel"', 'expected object'],
	[String.raw`{"scope": "\ud83d"}`, 'scope: a lone surrogate'],
])('the body %s is no JSON object, or has no text: 400', async (body, said) => {
	const { url } = await startSandbox();
	expect(await call('POST', `${url}/sandbox/keys`, { body })).toEqual(refused(said));
});

/** Each is wrong for some field. */
const WRONG = [
	...[undefined, null, '', 'x', LONG, '1.001', '-1.00', '007.50', '1002', 1002.5, 7, true],
	...[[], ['fun'], {}],
];

/** Bodies that differ from an example in one field, after the name of that field. */
const changesOf = (body: object, place = ''): [string, object][] =>
	Object.entries(body).flatMap(([name, value]: [string, unknown]) => [
		...WRONG.map((wrong): [string, object] => [place + name, { ...body, [name]: wrong }]),
		...(value instanceof Object && !Array.isArray(value)
			? changesOf(value, `${place}${name}.`).map(([field, changed]): [string, object] => [
					field,
					{ ...body, [name]: changed },
				])
			: []),
	]);

const pathOf = ({ path }: Operation) =>
	path.replace('{account-id}', '1001').replace('{card-id}', cardId(2));

const named = (operation: Operation) =>
	[`${operation.method} ${operation.path}`, operation] as const;

test.each(operations.filter(({ body }) => body !== undefined).map(named))(
	'%s: what openapi.yaml does not allow is a 400 that names the field, and changes nothing',
	async (_name, operation) => {
		const sandbox = await startSandbox({ now: () => NOW });
		const before = await state(sandbox);
		const isRefused = ([, body]: [string, object]) =>
			operation.checkBody(JSON.parse(JSON.stringify(body)) as unknown).length > 0;
		const wrong = changesOf(operation.body as object).filter(isRefused);
		expect(wrong.length).toBeGreaterThan(9);
		for (const [field, body] of wrong) {
			const answer = await sandbox.send(operation.method, pathOf(operation), body);
			expect([body, answer]).toEqual([body, refused(field)]);
		}
		expect(await state(sandbox)).toEqual(before);
	},
);

const WRONG_IN_QUERY = [
	...['', '0', '-1', '1.5', '101', 'x', 'Frozen', 'now', '2026-02-01', '2026-02-30'],
	...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+25:00'],
];

test.each(operations.filter(({ query }) => 'from' in query || 'page' in query).map(named))(
	'%s: a parameter with a value that openapi.yaml does not allow is a 400 that names it',
	async (_name, { path, query, checkParameters }) => {
		const sandbox = await startSandbox();
		const header = { authorization: 'Bearer key' };
		for (const [name, value] of Object.keys(query).flatMap((name) =>
			WRONG_IN_QUERY.map((wrong) => [name, wrong] as const),
		)) {
			const sent = { ...query, [name]: value };
			if (checkParameters({ path: {}, query: sent, header }).length === 0) continue;
			const answer = await sandbox.api('GET', `${path}?${new URLSearchParams(sent).toString()}`);
			expect([sent, answer]).toEqual([sent, refused(name)]);
		}
	},
);

test.each([
	['yesterday', 'createdAfter: expected a date-time such as 2026-01-31T12:00:00Z'],
	['9999-12-31T23:59:59-14:00', 'createdAfter'],
	['2026-01-01T00:00:00+01:00', 'the + of an offset is written %2B'],
])('GET /cards with createdAfter=%s is a 400 that says %s', async (value, said) => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', `/cards?createdAfter=${value}`)).toEqual(refused(said));
});

test('names with 255 characters are accepted, and keep those beyond the first 65 536', async () => {
	const sandbox = await startSandbox();
	const body = { name: `${'💳'.repeat(254)}\u{10ffff}` };
	expect(await sandbox.send('POST', '/cards', { ...CARD, ...body })).toMatchObject({
		status: 201,
		body,
	});
	expect(await sandbox.send('PATCH', '/accounts/1001', body)).toMatchObject({ status: 200, body });
});
