import { call, cardId, refused, startSandbox } from './support/sandbox.ts';

const CARD = { name: 'Travel Berlin', type: 'recurring' };
const TRANSFER = { amount: '1.00', toAccountId: 1002 };
const PURCHASE = { cardId: cardId(3), amount: '1.00' };
const ENDPOINT = { accountId: 1001, url: 'http://127.0.0.1/' };
const LONG = 'x'.repeat(256);
const TOO_LONG = 'name: must not be longer than 255 characters';
const fault = (rule: object): [object, string] => [
	{ rules: [rule] },
	Object.keys(rule).at(-1) ?? '',
];

/** By request: a body that is accepted, and changes of it with what the message then says. */
const INVALID: [request: string, valid: object, changes: [change: object, said: string][]][] = [
	[
		'POST /v1/public/cards',
		CARD,
		[
			[{ name: '' }, 'name'],
			[{ name: undefined }, 'name'],
			// Each of them is two units of a JavaScript string.
			[{ name: '💳'.repeat(256) }, TOO_LONG],
			[{ type: 'virtual' }, 'type'],
			[{ type: undefined }, 'type'],
			[{ type: null }, 'type: expected one of "single-use", "recurring"'],
			[{ categories: ['fun'] }, 'categories'],
			[{ categories: 'airlines' }, 'categories'],
			[{ category: 'pet' }, 'category: deprecated, use categories'],
			[{ limit: { amount: '007.50', type: 'monthly' } }, 'limit.amount'],
			[{ limit: { amount: 5, type: 'monthly' } }, 'limit.amount'],
			[{ limit: { amount: '5.00', type: 'daily' } }, 'limit.type'],
			[{ limit: { amount: '5.00' } }, 'limit.type'],
		],
	],
	[
		`PATCH /v1/public/cards/${cardId(2)}`,
		{},
		[
			[{ name: ' ' }, 'name'],
			[{ name: LONG }, TOO_LONG],
			[{ categories: ['fun'] }, 'categories'],
			[{ category: 'pet' }, 'category: deprecated, use categories'],
			[{ limit: { amount: '1.001', type: 'monthly' } }, 'limit.amount'],
		],
	],
	[
		'PATCH /v1/public/accounts/1001',
		{ name: 'Travel' },
		[
			[{ name: undefined }, 'name: required'],
			[{ name: ' ' }, 'name'],
			[{ name: 7 }, 'name'],
			[{ name: LONG }, TOO_LONG],
		],
	],
	[
		'POST /v1/public/accounts/1001/transfers',
		TRANSFER,
		[
			[{ toAccountId: undefined }, 'toAccountId'],
			[{ toAccountId: '1002' }, 'toAccountId'],
			[{ toAccountId: 1002.5 }, 'toAccountId'],
			[{ toAccountId: 1001 }, 'source account'],
			[{ toAccountId: 7 }, 'no account of this customer'],
			[{ amount: undefined }, 'amount'],
			[{ amount: 1 }, 'amount'],
			[{ amount: '0.00' }, 'greater than zero'],
			[{ amount: '-1.00' }, 'amount'],
			[{ amount: '1.005' }, 'amount'],
		],
	],
	[
		'POST /sandbox/simulate/authorization',
		PURCHASE,
		[
			[
				{ amount: 12.5, decline: {}, color: 'red' },
				'amount: expected string, received number; decline.reason: required; unknown field "color"',
			],
			[{ amount: '1.234' }, 'amount'],
			[{ amount: '-1.00' }, 'amount'],
			[{ currency: 'usd' }, 'currency'],
			[{ mcc: '58' }, 'mcc'],
			[{ cardId: '42' }, 'cardId'],
			[{ decline: { reason: LONG } }, 'decline.reason: expected string to have <=255 characters'],
			[{ merchant: 'x' }, 'merchant'],
			[{ merchantName: LONG }, 'merchantName: expected string to have <=255 characters'],
		],
	],
	[
		'POST /sandbox/simulate/clearing',
		{ transactionId: '7a5a0000-0000-4000-8000-000000000003' },
		[
			[{ transactionId: '42' }, 'transactionId'],
			[{ amount: '0.00' }, 'greater than zero'],
			[{ amount: '1.001' }, 'amount'],
			[{ amount: '-1' }, 'amount'],
		],
	],
	[
		'POST /sandbox/endpoints',
		ENDPOINT,
		[
			[
				{ accountId: 1.5, url: 'ftp://127.0.0.1/' },
				'accountId: expected int, received number; url: expected an http or https URL',
			],
			[{ url: undefined }, 'url'],
			[
				{ url: `http://127.0.0.1/${'x'.repeat(2048)}` },
				'url: expected string to have <=2048 characters',
			],
			[{ retryTimestamp: 'old' }, 'retryTimestamp'],
		],
	],
	[
		'POST /sandbox/reset',
		{},
		[[{ seed: 'huge' }, 'seed: expected one of "small", "large", "none"']],
	],
	[
		'POST /sandbox/keys',
		{},
		[
			[{ scope: 'all' }, 'scope: expected one of "customer", "account"'],
			[{ scope: 'account' }, 'accountId'],
		],
	],
	[
		'PUT /sandbox/accounts/1001/features',
		{},
		[
			[{ webhook: true }, 'webhook'],
			[{ webhooks: 'yes' }, 'webhooks'],
		],
	],
	[
		'PUT /sandbox/faults',
		{},
		[
			[{ rules: [{}] }, 'kind'],
			fault({ kind: 'explode' }),
			[{ rules: [{ kind: 'status' }] }, 'status'],
			fault({ kind: 'status', status: 200 }),
			fault({ kind: 'latency', ms: -1 }),
			fault({ kind: 'status', status: 429, retryAfter: 'later' }),
			fault({ kind: 'drop-before', path: 'cards' }),
			[{ rules: [{ kind: 'drop-before', times: 0 }] }, 'times: expected number to be >0'],
			fault({ kind: 'duplicate', path: '/cards' }),
			fault({ kind: 'late', seconds: 0 }),
			fault({ kind: 'reverse', count: 1 }),
			...[
				{ path: '/deliveries' },
				{ path: '/card' },
				{ path: '/cards/a/freeze/b' },
				{ path: '/v1/public/cards' },
				{ method: 'PUT' },
				{ path: '/balance', method: 'POST' },
			].map((scope): [object, string] => [
				{ rules: [{ kind: 'latency', ms: 1, ...scope }] },
				'rules.0: the API has no request with this method and path',
			]),
		],
	],
];

test.each(INVALID)(
	'%s: what is invalid is a 400 that names it',
	async (request, valid, changes) => {
		const sandbox = await startSandbox();
		const [method = '', path = ''] = request.split(' ');
		const headers = { authorization: `Bearer ${sandbox.apiKey}` };
		for (const [change, said] of changes) {
			const body = JSON.stringify({ ...valid, ...change });
			const answer = await call(method, sandbox.url + path, { headers, body });
			expect([change, answer]).toEqual([change, refused(said)]);
		}
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

test.each([
	['/cards', 'page=0', 'page'],
	['/cards', 'page=-1', 'page'],
	['/cards', 'page=1.5', 'page'],
	['/cards', 'page=x', 'page'],
	['/cards', 'page=', 'page'],
	['/cards', 'pageSize=0', 'pageSize'],
	['/cards', 'pageSize=101', 'pageSize'],
	['/cards', 'sort=up', 'sort: expected one of "asc", "desc"'],
	['/cards', 'status=Frozen', 'status'],
	['/cards', 'name=', 'name'],
	[
		'/cards',
		'createdAfter=yesterday',
		'createdAfter: expected a date-time such as 2026-01-31T12:00:00Z',
	],
	[
		'/cards',
		'createdAfter=2026-01-01T00:00:00+01:00',
		'in a URL, the + of an offset is written %2B',
	],
	['/cards', 'createdBefore=2026-02-30T00:00:00Z', 'createdBefore'],
	['/cards', 'createdBefore=2026-02-01', 'createdBefore'],
	['/cards', 'createdAfter=2026-13-01T00:00:00Z', 'createdAfter'],
	['/cards', 'createdAfter=2026-01-01T00:00:00%2B25:00', 'createdAfter'],
	['/cards', 'createdAfter=9999-12-31T23:59:59-14:00', 'createdAfter'],
	['/transactions', 'status=open', 'status'],
	['/transactions', 'cardId=42', 'cardId'],
	['/transactions', 'pageSize=101', 'pageSize'],
	['/transactions', 'createdAfter=now', 'createdAfter'],
])('GET %s?%s is a 400 that says %s', async (path, query, said) => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', `${path}?${query}`)).toEqual(refused(said));
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
