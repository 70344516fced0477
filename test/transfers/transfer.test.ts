import type { INodeParameters } from 'n8n-workflow';

import { transferParameters } from '../../dev/harness/transferApi';
import {
	execute,
	type ExecuteOptions,
	type Execution,
	newExecution,
	retryOf,
	useFakeClock,
} from '../support/execute';
import { type FakeApi, fakeApi, networkError, refusal, type Reply } from '../support/fakeApi';

useFakeClock();

/** How the API reacts to a request: `drop` makes the transfer and breaks the connection; a number is a status. */
type Reaction = 'make' | 'drop' | 'never sent' | 'break' | number;

interface TransferApi extends FakeApi {
	/** The transfers that were made, by Idempotency-Key. */
	transfers: Map<string, object>;
	keys: () => unknown[];
}

/** An API as §4.2 has it, which makes one transfer for each key. */
function transferApiOf(...reactions: Reaction[]): TransferApi {
	const transfers = new Map<string, object>();
	const api = fakeApi(({ path, headers, body }): Reply => {
		const reaction = reactions.shift() ?? 'make';
		if (reaction === 'never sent') throw networkError('ECONNREFUSED');
		if (typeof reaction === 'number') return refusal(reaction);
		const key = headers['Idempotency-Key'] as string;
		const made = transfers.get(key) ?? {
			id: `transfer-${transfers.size}`,
			fromAccountId: Number(/^\/accounts\/(\d+)\/transfers$/.exec(path)?.[1]),
			toAccountId: (body as { toAccountId: number }).toAccountId,
			status: 'failed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		if (reaction === 'drop') throw networkError('ECONNRESET');
		const reply = { status: 201, headers: { date: new Date().toUTCString() } };
		return { ...reply, body: reaction === 'break' ? '<html>' : made };
	});
	return {
		...api,
		transfers,
		keys: () => api.requests.map((each) => each.headers['Idempotency-Key']),
	};
}

/** A response with a transfer of another moment. */
const madeAt = (createdAt: string, date?: unknown, more: object = {}): Reply => ({
	status: 201,
	headers: { date },
	body: { id: 't', fromAccountId: 1001, toAccountId: 1002, status: 'ok', createdAt, ...more },
});

const transfer = async (api: FakeApi, more: INodeParameters = {}, options: ExecuteOptions = {}) => {
	const parameters = { ...transferParameters, amount: '25.00', idempotencyKey: 'INV-1', ...more };
	return await execute(api, parameters, options);
};

const perItem = { amount: '={{ $json.amount }}', idempotencyKey: '={{ $json.invoice }}' };
const item = (invoice: string, amount = '5.00') => ({ invoice, amount });
const goOn = { onError: 'continueRegularOutput' } as const;
const TOOL = { type: 'n8n-nodes-card-platform.cardPlatformTool' };
const DROPS: Reaction[] = ['drop', 'drop', 'drop', 'drop'];
const USED =
	'The Idempotency Key "INV-1" was already used in this execution for another item, amount, account or Base URL, so this transfer was not made';
const UNKNOWN = 'Not sent: the outcome of the transfer with Idempotency Key "INV-1" is unknown';

test('amount, accounts and key reach the API; the output is its response, whatever its status, and the key', async () => {
	const api = transferApiOf();
	const { json, error } = await transfer(api);
	expect(error).toBeUndefined();
	expect(api.requests).toMatchObject([
		{
			method: 'POST',
			path: '/accounts/1001/transfers',
			query: {},
			headers: { 'Idempotency-Key': 'INV-1' },
			body: { amount: '25.00', toAccountId: 1002 },
		},
	]);
	const asked = { amount: '25.00', currency: 'USD', idempotencyKey: 'INV-1' };
	expect(json).toEqual([{ ...api.transfers.get('INV-1'), ...asked, moneyMoved: 'now' }]);
	expect(json).toMatchObject([{ status: 'failed' }]);
});

const NO_VALUE =
	'Idempotency Key has no usable value for this item, so the transfer was not sent: ';
const NOT_ONE =
	'Idempotency Key has an expression that is not one field or date, so the transfer was not sent: ';
const NOTHING_BETWEEN =
	'Idempotency Key has two {{ }} with no sign between them, so the transfer was not sent: ';
const FIXED = 'Idempotency Key is set to Fixed, but has an expression: ';
const EMPTY = 'Idempotency Key is empty';

describe('the key', () => {
	const json = {
		n: 7,
		customer: 8,
		address: {},
		list: [],
		blank: ' ',
		paid: true,
		nothing: null,
		fraction: 3.5,
		longest: 9_007_199_254_740_991,
		long: 9_007_199_254_740_992,
		invoice: 'INV-8',
		'a}}b': 'INV-9',
		'0': 'INV-10',
		row: ['INV-11', 12],
		order: { "line 'a'": [{ größe: 'L-1' }], list: [1] },
		moment: new Date(),
		template: 'INV-{{ $json.gone }}',
		Idempotency_Key: 'AI-1',
	};

	/** What is sent as the key, or what is said in place of it; also in a tool, unless that is another matter. */
	const run = async (idempotencyKey: INodeParameters[string], nodes: object[] = [{}, TOOL]) => {
		const results = nodes.map(async (node) => {
			const api = transferApiOf();
			const { error, json: output } = await transfer(
				api,
				{ idempotencyKey },
				{
					items: [json],
					before: { name: `It's "all"`, items: [{ id: 'E-1' }] },
					node,
					workflowId: 'pay',
				},
			);
			const keys = output.map((each) => each.idempotencyKey as string);
			expect(api.keys()).toEqual(keys);
			if (error) expect(error.context).toMatchObject({ itemIndex: 0 });
			return [...keys, ...(error ? [`${error.message} | ${error.description}`] : [])].join();
		});
		return [...new Set(await Promise.all(results))].join(' or ');
	};

	test.each<[string, string | number, string]>([
		['a string', 'invoice-77', 'invoice-77'],
		['a number without an expression', 77, '77'],
		['blanks round it', ' invoice 77 ', 'invoice 77'],
		['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
		['the last character of the keyboard', 'x~y', 'x~y'],
		['words that contain what looks missing', 'inv-nan-Xnull-none', 'inv-nan-Xnull-none'],
		['a word with a dollar', 'Ke$ha US$5', 'Ke$ha US$5'],
		['the name of a property of every object', 'constructor', 'constructor'],
		['text, as an expression', '=INV-7', 'INV-7'],
		['a number', '={{ $json.n }}', '7'],
		['the largest exact number', '={{ $json.longest }}', '9007199254740991'],
		['a field among words', '=INV-{{ $json.n }}-fee', 'INV-7-fee'],
		['a field after a sign', '=#{{ $json.n }}', '#7'],
		['two fields', '={{$json.n}}-{{ $json.customer }}', '7-8'],
		['two fields, as the editor adds the second', '={{ $json.n }} {{ $json.customer }}', '7 8'],
		['a field on a line of its own', '={{\n\t$json.n\n}}', '7'],
		['a path', `={{ $json.order["line 'a'"][0].größe }}`, 'L-1'],
		[
			'a path that may end',
			"={{ $json?.order?.['line \\'a\\''] ?.[0] }}".replace(' ?', '?'),
			NO_VALUE,
		],
		['a path that does not', "={{ $json?.order?.['line \\'a\\'']?.[ 0 ]?.größe }}", 'L-1'],
		['blanks in brackets', "={{ $json[ 'n' ] }}", '7'],
		['a name with braces', '={{ $json["a\\}}b"] }}', 'INV-9'],
		['a column without a name', "={{ $json['0'] }}", 'INV-10'],
		['an element of a list', '={{ $json.row[0] }}', 'INV-11'],
		['a number of a list', '={{ $json.row[1] }}', '12'],
		['a field of the input', "={{ $input.item.json['n'] }}", '7'],
		['a field of a node before', `={{ $('It\\'s "all"').item.json.id }}`, 'E-1'],
		['the same, in other quotes', `={{ $("It's \\"all\\"").item?.json?.id }}`, 'E-1'],
		['the workflow', '={{ $workflow.id }}', 'pay'],
		['the year', "=topup-{{ $now.toFormat('yyyy') }}", 'topup-2026'],
		['the month', "=topup-{{ $now.toFormat('yyyy-MM') }}", 'topup-2026-11'],
		['the month, by n8n', '=topup-{{ $now.format("MM/yyyy") }}', 'topup-11/2026'],
		['the day', '=topup-{{ $now.toISODate() }}', 'topup-2026-11-21'],
		['the day, from midnight', '=topup-{{ $today.toISODate() }}', 'topup-2026-11-21'],
		['the day, elsewhere', "={{ $today.format('dd.LL.yyyy') }}", '21.11.2026'],
		['the day, in America', "={{ $today.format('MM/dd/yyyy') }}", '11/21/2026'],
		['the day, in short', "={{ $today.format('yyyyMMdd') }}", '20261121'],
		['the day of the year', "={{ $today.format('yyyy ooo') }}", '2026 325'],
		['the week', '={{ $today.toFormat("kkkk-WW") }}', '2026-47'],
		['the quarter', '={{ $today.toFormat("yyyy_q") }}', '2026_4'],
	])('is sent: %s', async (_name, key, sent) => {
		expect(await run(key)).toContain(sent);
	});

	const MODEL = "$fromAI('Idempotency_Key', `The \\`invoice\\` number, e.g. INV-7 ($5)`, 'string')";
	test.each([
		MODEL,
		`/*n8n-auto-generated-fromAI-override*/ ${MODEL}`,
		'$fromAi("Idempotency_Key")',
		'$fromai("Idempotency_Key", "")',
	])(
		'in a tool, it may come from a model; n8n gives it of the first item elsewhere: %s',
		async (code) => {
			expect(await run(`=pay-{{ ${code} }}`, [TOOL])).toBe('pay-AI-1');
			expect(await run(`=pay-{{ ${code} }}`, [{}])).toContain(NOT_ONE);
		},
	);

	test.each<[string, INodeParameters[string], string]>([
		['missing', '={{ $json.gone }}', EMPTY],
		['null', '={{ $json.nothing }}', EMPTY],
		['an empty list', '={{ $json.list }}', EMPTY],
		['blank', '   ', EMPTY],
		...(
			[
				['an object', '={{ $json.address }}', '{}'],
				['a list', '={{ $json.order.list }}', '[1]'],
				['true', '={{ $json.paid }}', 'true'],
				// In the JSON of another system, this number ended with a 3.
				['a number that JavaScript rounds', '={{ $json.long }}', '9007199254740992'],
				['one in a part', '=INV-{{ $json.long }}', '"INV-9007199254740992"'],
				['a fraction', '={{ $json.fraction }}', '3.5'],
				['a prefix only', '=INV-{{ $json.gone }}', '"INV-"'],
				['a suffix only', '={{ $json.gone }}-fee', '"-fee"'],
				['empty in one part', '={{ $json.customer }}-{{ $json?.gone?.n }}', '"8-"'],
				['blank in one part', '=INV-{{ $json.blank }}', '"INV- "'],
				['a list in one part', '=INV-{{ $json.order.list }}', '"INV-'],
				['an object in one part', '=INV-{{ $json.address }}', '"INV-[object Object]"'],
				['a moment from another field', '=topup-{{ $json.moment }}', '"topup-'],
				// INV-8 and INV-9 have the same.
				['a character', '={{ $json.invoice[0] }}', '"I"'],
				['a character, in quotes', "={{ $json.invoice?.['0'] }}", '"I"'],
				['a character, over lines', "={{ $json[\n'invoice'\n][0] }}", '"I"'],
				['256 characters', 'x'.repeat(256), '"xxx'],
				['a fixed word for nothing', 'N/A', '"N/A"'],
				['a fixed prefix', 'INV-', '"INV-"'],
			] as const
		).map(([name, key, shown]): [string, string, string] => [name, key, NO_VALUE + shown]),
		// Not switched on: for each item the same string.
		...[
			'INV-{{ $json.invoice }}',
			'{{$json.invoice}}',
			'INV-{ $json.invoice }',
			'INV-}}',
			"$('Invoices').item.json.id",
			'topup-$now.toFormat()',
			'INV-{{ $execution.id }}',
			'=$json.n',
			'={{ $json.template }}',
		].map((key): [string, string, string] => [key, key, FIXED]),
		...[
			['請求-1', '請'],
			['a\x7f', '\x7f'],
			['a\nb', '\\n'],
		].map(([key = '', character]): [string, string, string] => [
			key,
			key,
			`Idempotency Key has the character "${character}", so the transfer was not sent`,
		]),
		// 1 and 23 are not 12 and 3.
		...[
			'={{ $json.n }}{{ $json.customer }}',
			'={{ $json.n }}1{{ $json.customer }}',
			'=A-{{ $json.n }}{{ $now.toFormat("yyyy") }}',
		].map((key): [string, string, string] => [key, key, NOTHING_BETWEEN]),
	])('is refused: %s', async (_name, key, says) => {
		expect(await run(key)).toContain(says);
	});

	test.each(
		// What changes, what two items may share, what hides an empty part, and whatever else is not one value.
		[
			'+new Date / Date["now"]() / Date() / Math["random"]() / DateTime.now().ts / $execution.id',
			'$itemIndex / $runIndex / $position / $prevNode.runIndex / $json / $input.item.json / $vars.n',
			'$now / $now.toISO() / $now.second / $now.toMillis() / $now.day / $now.month / $now.year / $["now"]',
			"$now.toFormat('') / $now.toFormat('yyyy'+'MM') / $now.toFormat(\"yyyy\\x48\\x48\") / $now.format('yyyy-MM-dd \\110')",
			'$now.toFormat("yyyy-MM-dd HH") / $now.toFormat("TT") / $now.toFormat("D t") / $now.format()',
			// Another month, week, quarter or year has the same.
			"$now.toFormat('MM') / $now.toFormat('W') / $now.toFormat('q') / $now.toFormat('d') / $now.toFormat('yyyy-dd')",
			"$now.toFormat('yyyy-WW') / $now.toFormat('kkkk-MM') / $now.toFormat('kkkk') / $now.toFormat('yy-MM') / $now.toFormat('-')",
			// 1 and 11 are not 11 and 1.
			"$now.toFormat('yyyyMd') / $now.toFormat('yyyy-M-d') / $now.toFormat('yyyy-LM')",
			'$now.plus({ minutes: 1 }).toISODate() / $today / $json.date.toFormat("yyyy") / $json.a.trim().b',
			"'INV-' + $json.n / $('A').first().json.n / String($json.n) / `INV-${$json.n}`",
			'$json.n || "x" / $json.n ?? "x" / $json[$json.n] / $json.n, $now / $json.n; $now / 77',
			'$json.invoice.length / $json.row["length"] / $json.row?.length / $json.invoice[ \'length\' ]',
			String.raw`$json.invoice["len\gth"] / $json.invoice['\u0030'] / $("A\n").item.json.n`,
			`$('Invoices').item.json / $('Invoices').all().length / $items("Invoices")[0].json.id / $fromAI($json.n)`,
			"$fromAI('id', '', 'string', 'INV-1') / $fromAI('id') + $now / $workflow.active / / $json.n?.",
		].flatMap((codes) => codes.split(' / ')),
	)('is refused, with a way out: {{ %s }}', async (code) => {
		const says = await run(`=INV-{{ ${code} }}`);
		expect(says).toContain(NOT_ONE + JSON.stringify(code.trim()).slice(0, 20));
		expect(says).toMatch(/ \| In each \{\{ \}\}, use one field, .*Edit Fields/);
	});
});

describe('a part of the key', () => {
	const key = async (invoice: string | number, idempotencyKey: string) => {
		const api = transferApiOf();
		const { error } = await transfer(api, { idempotencyKey }, { items: [{ invoice }] });
		return error?.message ?? api.keys();
	};

	test.each([
		...'#N/A #REF! #BEZUG! #NV #DIV/0! ######## # - --- ? null NULL None nil NaN n/a NA nv'.split(
			' ',
		),
		...'undefined Infinity -Infinity Loading... loading… (null) <null> {} [] "" 0 000 0.00'.split(
			' ',
		),
		...'unknown TBD missing false true string Yes no empty N.A. INV- topup_ Invoice# -fee /fee'.split(
			' ',
		),
		...'00000000-0000-0000-0000-000000000000 1.23e+11 1,23E+11 1E+15 1.5E15 -2e-7'.split(' '),
		...['Invalid Date', 'Invalid DateTime', ' none ', '[object Object]', '[Object object]'],
		...['not provided', 'Not_Available', 'no value', 'Invoice #', 0, -0],
	])('that says nothing is refused: %s', async (invoice) => {
		for (const written of ['={{ $json.invoice }}', '=INV-{{ $json.invoice }}'])
			expect(await key(invoice, written)).toContain(NO_VALUE);
	});

	test.each([
		...'#1001 -1 10 NA-17 INV-0 INV-#N/A INV-None nullable Nancy NVIDIA-1 Loadings Notion'.split(
			' ',
		),
		...'12E3 1234e567 INV-undefined A INV-7- 1/2026 V1StGXR8_Z5jdHi6B-myT_'.split(' '),
		...['loading 4', 'Rent (November', 'a_name_without_a_digit_that_is_longer_'],
		'00000000-0000-0000-0000-000000000001',
	])('that says something is sent: %s', async (invoice) => {
		expect(await key(invoice, '={{ $json.invoice }}')).toEqual([invoice]);
	});

	test.each([
		...'NO NA NV ID Key Yahoo! (Miete) 2026E-11 24E-0117 aBcDeFgHi-'.split(' '),
		...['Acme Inc.', 'Muster e.K.', 'No Limit'],
	])('that is a code or a name is sent, beside another part: %s', async (invoice) => {
		const written = "={{ $json.invoice }}-{{ $now.toFormat('yyyy') }}";
		expect(await key(invoice, written)).toEqual([expect.stringContaining(`${invoice}-`)]);
	});
});

test.each<[string, (execution: Execution) => Partial<ExecuteOptions>]>([
	['Retry On Fail', (execution) => ({ execution })],
	['Executions → Retry', (execution) => ({ execution: retryOf(execution) })],
	['another call of a tool', (execution) => ({ execution, node: TOOL, runIndex: 1 })],
])('%s: what was made is not sent again, what was not made is', async (_name, again) => {
	const isTool = 'runIndex' in again(newExecution());
	const api = transferApiOf('make', 401);
	const first = { execution: newExecution(), ...(isTool && { node: TOOL }) };
	const items = [item('INV-1'), item('INV-2')];
	const failed = await transfer(api, perItem, { ...first, items });
	expect(failed.error).toMatchObject({ httpCode: '401', context: { itemIndex: 1 } });
	// Even when the API has forgotten the key.
	api.transfers.clear();
	jest.setSystemTime(Date.now() + 30 * 86_400_000);
	const { json, error } = await transfer(api, perItem, { ...again(first.execution), items });
	expect(error).toBeUndefined();
	expect(json.map(({ moneyMoved }) => moneyMoved)).toEqual([isTool ? 'earlier' : 'now', 'now']);
	expect(api.keys()).toEqual(['INV-1', 'INV-2', 'INV-2']);
});

describe('in an execution and its retries', () => {
	/** Makes a transfer, and then another one; gives what came of the second. */
	async function twice(
		change: INodeParameters,
		options: ExecuteOptions = {},
		reactions: Reaction[] = [],
	) {
		const api = transferApiOf(...reactions);
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const sent = api.requests.length;
		const second = await transfer(api, change, { execution: retryOf(first), ...options });
		return { ...second, api, sentNow: api.requests.length - sent };
	}

	const SENT = 'Not sent again: this item was already transferred with Idempotency Key "INV-1"';

	/** What is different, and what is said if the first transfer was made, or if that is unknown. */
	test.each<[string, INodeParameters, ExecuteOptions, string, string]>([
		['another amount', { amount: '9.00' }, {}, USED, UNKNOWN],
		['another source', { accountId: '1003' }, {}, USED, UNKNOWN],
		['another target', { toAccountId: '1003' }, {}, USED, UNKNOWN],
		['another turn of a loop', {}, { runIndex: 1 }, USED, UNKNOWN],
		['another node', {}, { node: { name: 'Fee' } }, USED, UNKNOWN],
		['a tool', {}, { node: TOOL }, USED, UNKNOWN],
		['another key for the same item', { idempotencyKey: 'INV-2' }, {}, SENT, UNKNOWN],
	])('%s: refused, nothing is sent', async (_name, change, options, ifMade, ifUnknown) => {
		const made = await twice(change, options);
		const unknown = await twice(change, options, [...DROPS]);
		expect([made.error?.message, unknown.error?.message]).toEqual([ifMade, ifUnknown]);
		expect([made.sentNow, unknown.sentNow]).toEqual([0, 0]);
		expect(unknown.error?.description).toContain('only with this key: with another one');
		expect(unknown.error?.description).not.toContain('suffix');
	});

	test.each<[string, Reaction[], number]>([
		['whose outcome is not known', [...DROPS], 5],
		['that was made', [], 1],
	])(
		'a transfer %s, with a key that moves on: not sent until the old key is entered',
		async (_name, reactions, requests) => {
			const api = transferApiOf(...reactions);
			const moving = { idempotencyKey: "=rent-{{ $now.toFormat('yyyy-MM') }}" };
			const first = newExecution();
			await transfer(api, moving, { execution: first });
			jest.setSystemTime(Date.now() + 30 * 86_400_000);
			const moved = await transfer(api, moving, { execution: retryOf(first) });
			expect(moved.error?.description).toContain('enter the old one as fixed text');
			const fixed = { idempotencyKey: 'rent-2026-11' };
			const { json } = await transfer(api, fixed, { execution: retryOf(first) });
			expect(json).toMatchObject([fixed]);
			expect([api.requests.length, api.transfers.size]).toEqual([requests, 1]);
		},
	);

	test('a key is refused for a second item, also in a retry', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const items = [item('INV-1'), item('INV-1')];
		const { json } = await transfer(api, perItem, { execution, items, node: goOn });
		expect(json).toMatchObject([{ moneyMoved: 'now' }, { error: USED }]);
		const retried = await transfer(api, perItem, { execution: retryOf(execution), items });
		expect(retried.error).toMatchObject({ message: USED, context: { itemIndex: 1 } });
		expect(api.requests).toHaveLength(1);
	});

	test('another API is refused', async () => {
		const [sandbox, api] = [transferApiOf(...DROPS), transferApiOf()];
		const execution = newExecution();
		const workflowId = 'pay';
		await transfer(sandbox, {}, { execution, workflowId });
		const { error } = await transfer(api, {}, { execution: retryOf(execution), workflowId });
		expect(error?.message).toBe(UNKNOWN);
		expect(api.requests).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['with another amount', { amount: '9.00' }],
		['under another key', { idempotencyKey: 'INV-2' }],
	])('what the API refused is sent %s', async (_name, change) => {
		const { error, api } = await twice(change, {}, [400]);
		expect(error).toBeUndefined();
		expect(api.transfers.size).toBe(1);
	});

	test.each<[string, ExecuteOptions]>([
		['an item', {}],
		['a call of a tool', { node: TOOL }],
		['a call of a tool without an execution', { node: TOOL, execution: newExecution('') }],
	])('an unknown outcome stays unknown if %s is sent again and refused', async (_name, options) => {
		const api = transferApiOf(...DROPS, 404);
		// The attempts of Retry On Fail have the execute data in common.
		const executeData = { data: {}, source: null };
		const isTool = 'node' in options;
		const attempt = {
			execution: newExecution(),
			...options,
			...(isTool && { context: { getExecuteData: () => executeData } }),
		};
		await transfer(api, {}, attempt);
		const { error } = await transfer(api, {}, { ...attempt, ...(isTool && { runIndex: 1 }) });
		expect(error?.message).toMatch(/^The outcome of .*\(404 some-code\)$/);
		expect(error).toMatchObject({ httpCode: '404' });
		const { json } = await transfer(api, {}, attempt);
		expect(json).toMatchObject([{ moneyMoved: 'now' }]);
		expect([api.transfers.size, new Set(api.keys()).size]).toEqual([1, 1]);
	});

	test('a tool sends no equal transfer under another key while the outcome is unknown', async () => {
		const api = transferApiOf(...DROPS);
		const call = (change: INodeParameters, runIndex: number) =>
			transfer(api, change, { execution, node: TOOL, runIndex });
		const execution = newExecution();
		await call({}, 0);
		const second = { idempotencyKey: 'INV-2' };
		expect((await call(second, 1)).error?.message).toBe(UNKNOWN);
		expect((await call({ ...second, amount: '9.00' }, 2)).error).toBeUndefined();
		expect((await call({}, 3)).error).toBeUndefined();
		expect((await call({ idempotencyKey: 'INV-3' }, 4)).error).toBeUndefined();
		expect(api.transfers.size).toBe(3);
		// Nor one that is equal to an item's.
		expect((await twice(second, { node: TOOL }, [...DROPS])).error?.message).toBe(UNKNOWN);
	});
});

describe('a tool', () => {
	test('calls with one key at the same time are one payment; the later one says so', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const calls = [0, 1].map((runIndex) => transfer(api, {}, { execution, node: TOOL, runIndex }));
		const results = (await Promise.all(calls)).flatMap(({ json }) => json);
		expect(results.map(({ moneyMoved }) => moneyMoved)).toEqual(['now', 'earlier']);
		expect(api.transfers.size).toBe(1);
	});

	test('of two calls at once, a refusal says nothing about the other', async () => {
		const api = fakeApi(() => refusal(400));
		const options = { execution: newExecution(), node: TOOL };
		const calls = [0, 1].map((runIndex) => transfer(api, {}, { ...options, runIndex }));
		for (const { error } of await Promise.all(calls))
			expect(error?.message).toMatch(/^The outcome of .* is unknown/);
	});

	test.each([
		['not known', 1, UNKNOWN],
		['made', 2, undefined],
	])('of two calls at once, a late refusal leaves a payment %s', async (_, late, problem) => {
		const made = madeAt(new Date().toISOString());
		const api = fakeApi(async (_request, count) => {
			if (count !== late) return late === 1 ? { ...made, body: '<html>' } : made;
			await new Promise((resolve) => setTimeout(resolve, 30_000));
			return refusal(409);
		});
		const options = { execution: newExecution(), node: TOOL };
		await Promise.all([0, 1].map((runIndex) => transfer(api, {}, { ...options, runIndex })));
		expect(api.requests).toHaveLength(2);
		const other = await transfer(api, { idempotencyKey: 'INV-2' }, { ...options, runIndex: 2 });
		expect(other.error?.message).toBe(problem);
	});

	test('outside of executions, calls have nothing in common but the key', async () => {
		const api = transferApiOf();
		const options = { execution: newExecution('', 'webhook'), node: TOOL };
		await transfer(api, {}, options);
		jest.advanceTimersByTime(10_000);
		const { json } = await transfer(api, {}, options);
		expect(json).toMatchObject([{ moneyMoved: 'earlier' }]);
		expect([api.requests.length, api.transfers.size]).toEqual([2, 1]);
	});
});

describe('an outcome that is not known', () => {
	test('is reported, with the key that makes it safe to send again', async () => {
		const { error } = await transfer(transferApiOf(...DROPS));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(
				/^The outcome of the transfer with Idempotency Key INV-1 is unknown: No complete response/,
			),
			description: expect.stringMatching(
				/^Check in the dashboard whether 25\.00 USD moved from account 1001 to account 1002\..*Executions → Retry.*same key.*as long as it remembers the key/,
			),
			context: { itemIndex: 0, idempotencyKey: 'INV-1' },
		});
		const { json } = await transfer(transferApiOf(...DROPS), {}, { node: goOn });
		expect(json).toMatchObject([{ message: { idempotencyKey: 'INV-1' } }]);
	});

	/** The API refuses this many requests with one of these; the error shows it. */
	const refusals = (requests: number, ...statuses: number[]) =>
		statuses.map((status): [Reaction[], string] => [
			Array<Reaction>(requests).fill(status),
			`(${status} some-code)`,
		]);

	test.each<[Reaction[], string]>([
		// A last retry that is refused.
		[['drop', 401], '(401 some-code)'],
		[['break'], 'a web page instead of a transfer'],
		...refusals(1, 303, 409, 501, 520),
		...refusals(4, 408, 500, 502, 503, 504),
	])('stays unknown after %j', async (reactions, reason) => {
		const api = transferApiOf(...reactions);
		const { error } = await transfer(api);
		expect(error?.message).toMatch(/^The outcome of .* is unknown: /);
		expect(error?.message).toContain(reason);
		expect(api.keys()).toEqual(reactions.map(() => 'INV-1'));
	});

	test('stays unknown if only 429s follow', async () => {
		const { error } = await transfer(transferApiOf('drop', ...Array<Reaction>(200).fill(429)));
		expect(error?.message).toMatch(/^The outcome of .* is unknown: The API is busy/);
	});

	test.each<[Reaction[], string]>([
		...refusals(1, 400, 404, 499),
		[Array<Reaction>(200).fill(429), 'The API is busy: it refused every request for 240 s'],
		[Array<Reaction>(4).fill('never sent'), 'No connection to '],
	])('is not said where nothing was made: %#', async (reactions, reason) => {
		const { error } = await transfer(transferApiOf(...reactions));
		expect(error?.message).toContain(reason);
		expect(error?.message).not.toContain('not known');
	});
});

test('what others write is never HTML: keys, and the words of the API', async () => {
	const html = '<a href="https://evil.example">INV-1</a>';
	const idempotencyKey = '={{ $json.html }}';
	const words = fakeApi(() => ({ status: 400, body: { code: 'x', message: html } }));
	for (const api of [words, transferApiOf(...DROPS), transferApiOf()]) {
		const { error } = await transfer(api, { idempotencyKey }, { items: [{ html }, { html }] });
		expect(error?.message).toContain('‹a href=');
		expect(`${error?.message} ${error?.description}`).not.toContain('<');
	}
});

describe('a transfer that was made earlier', () => {
	const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';

	test.each<[string, unknown, string]>([
		['2026-11-21T11:59:54Z', DATE, 'earlier'],
		['2026-11-21T12:59:54+01:00', DATE, 'earlier'],
		['2026-11-21t11:59:54z', DATE, 'earlier'],
		// Clocks of the API may differ by seconds.
		['2026-11-21T11:59:55Z', DATE, 'unknown'],
		['2026-11-21T11:59:58.999Z', DATE, 'unknown'],
		['2026-11-21T11:59:59Z', DATE, 'now'],
		['2026-11-21T12:00:05Z', DATE, 'now'],
		['2026-11-21T12:00:06Z', DATE, 'unknown'],
		// Without an offset it says nothing.
		['2026-11-20T11:54:59', DATE, 'unknown'],
		['Fri, 20 Nov 2026 11:54:59 +01:00 (CET)', DATE, 'unknown'],
		['2026-11-21T11:00:00Z', undefined, 'unknown'],
		['2026-11-21T11:00:00Z', ['x'], 'unknown'],
		['2026-11-21T11:00:00Z', '5', 'unknown'],
		['2026-11-21T11:00:00Z', 'x GMT', 'unknown'],
		['2026-11-21T11:00:00Z', 'Sat, 21 Nov 2026 12:00:00', 'unknown'],
	])('is told by its time: %s and Date %s is %s', async (createdAt, date, expected) => {
		// The clock of n8n has no part in it.
		for (const hours of [0, 9]) {
			jest.setSystemTime(Date.now() - hours * 3_600_000);
			const { json } = await transfer(fakeApi(() => madeAt(createdAt, date)));
			expect(json).toMatchObject([{ moneyMoved: expected }]);
		}
	});

	test('since it was first sent, also if that was refused with 429: now', async () => {
		const createdAt = new Date(Date.now() + 30_000).toISOString();
		const api = fakeApi((_request, count) =>
			count === 1
				? refusal(429, { 'retry-after': '60' })
				: madeAt(createdAt, new Date().toUTCString()),
		);
		expect((await transfer(api)).json).toMatchObject([{ moneyMoved: 'now' }]);
	});

	test('a retry within the run that gets the result of the first attempt: now', async () => {
		const { json } = await transfer(transferApiOf('drop', 503, 'drop'));
		expect(json).toMatchObject([{ moneyMoved: 'now' }]);
	});

	test.each([
		[0, 'now'],
		[-3_600_000, 'earlier'],
	])('Executions → Retry, the first outcome unknown: made %d ms after, %s', async (ms, moved) => {
		const createdAt = new Date(Date.now() + ms).toISOString();
		const api = fakeApi((_request, count) => {
			if (count <= DROPS.length) throw networkError('ECONNRESET');
			return madeAt(createdAt, new Date().toUTCString());
		});
		const execution = newExecution();
		await transfer(api, {}, { execution });
		jest.setSystemTime(Date.now() + 2 * 86_400_000);
		const { json } = await transfer(api, {}, { execution: retryOf(execution) });
		expect(json).toMatchObject([{ moneyMoved: moved }]);
	});

	test('an n8n whose full response has no headers: unknown, and made once', async () => {
		const api = transferApiOf();
		const send: FakeApi['send'] = async (options) =>
			Object.assign((await api.send(options)) as object, { headers: undefined });
		const { json } = await transfer({ ...api, send });
		expect(json).toMatchObject([{ moneyMoved: 'unknown' }]);
		expect(api.requests).toHaveLength(1);
	});

	test('is shown in a hint, also after a retry', async () => {
		const api = transferApiOf();
		const hintsOf = async (keys: string[], execution = newExecution()) => {
			const items = keys.map((key) => item(key));
			return (await transfer(api, perItem, { execution, items })).hints;
		};
		const keys = ['INV-1', 'INV-2'];
		expect(await hintsOf(keys)).toEqual([]);
		jest.setSystemTime(Date.now() + 3_600_000);
		const execution = newExecution('2');
		const message = expect.stringMatching(
			/^Items with moneyMoved "earlier" moved no money now, by the times that the API returned/,
		);
		for (const runOf of [() => execution, () => retryOf(execution)]) {
			const hints = await hintsOf(['new', ...keys], runOf());
			expect(hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
		}
		expect(api.transfers.size).toBe(3);
	});
});

describe('what the API reports beside a transfer', () => {
	const NOW = '2026-11-21T12:00:00Z';
	const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';

	test.each<[unknown, unknown]>([
		[undefined, '25.00'],
		[null, '25.00'],
		['25.000', '25.000'],
		[25, 25],
		['', '25.00'],
		// What cannot be read is not compared.
		['25 USD', '25 USD'],
		[{ value: '100.00' }, { value: '100.00' }],
	])('an amount of %j is no other: the output has %j', async (amount, shown) => {
		const { json } = await transfer(fakeApi(() => madeAt(NOW, DATE, { amount })));
		expect(json).toMatchObject([{ amount: shown, currency: 'USD', moneyMoved: 'now' }]);
	});

	test.each<[object, string]>([
		[{ amount: '100.00' }, 'a transfer of 100.00 from 1001 to 1002'],
		[{ amount: 100 }, 'a transfer of 100 from 1001 to 1002'],
		[{ amount: '25.001' }, 'a transfer of 25.001 from 1001 to 1002'],
		[{ amount: '2500' }, 'a transfer of 2500 from 1001 to 1002'],
		[{ amount: '-25.00' }, 'a transfer of -25.00 from 1001 to 1002'],
		[{ amount: '0' }, 'a transfer of 0 from 1001 to 1002'],
		[{ fromAccountId: 1009 }, 'a transfer from 1009 to 1002'],
		[{ toAccountId: 1009 }, 'a transfer from 1001 to 1009'],
	])('a response with %j is another transfer', async (more, what) => {
		const now = fakeApi(() => madeAt(NOW, DATE, more));
		const before = fakeApi(() => madeAt('2026-11-20T12:00:00Z', DATE, more));
		const execution = newExecution();
		const unknown = await transfer(now, {}, { execution, node: TOOL });
		expect(unknown.error).toMatchObject({
			message: `The outcome of this transfer is unknown: the API reports ${what} for its Idempotency Key "INV-1"`,
			context: { idempotencyKey: 'INV-1' },
		});
		const other = { idempotencyKey: 'INV-2' };
		const second = await transfer(now, other, { execution, node: TOOL });
		expect(second.error?.message).toBe(UNKNOWN);

		const old = newExecution();
		const earlier = await transfer(before, {}, { execution: old });
		expect(earlier.error?.message).toBe(
			`The Idempotency Key "INV-1" was already used for ${what}, so this transfer was not made`,
		);
		const retried = await transfer(transferApiOf(), other, { execution: retryOf(old) });
		expect(retried.json).toMatchObject([{ moneyMoved: 'now', amount: '25.00' }]);
	});

	test('never replaces what the node says', async () => {
		const more = { moneyMoved: 'yes', idempotencyKey: 'x', currency: '' };
		const { json } = await transfer(fakeApi(() => madeAt(NOW, DATE, more)));
		const own = { moneyMoved: 'now', idempotencyKey: 'INV-1', currency: 'USD' };
		expect(json).toMatchObject([own]);
	});
});

test.each<[string, INodeParameters, string]>([
	['the same account', { toAccountId: '1001' }, 'Both accounts are the same: 1001'],
	['an account that is no number', { toAccountId: 'Marketing' }, 'To Account ID is not a whole'],
	['an inexact number', { amount: '={{ 0.1 + 0.2 }}' }, 'Amount is not a valid amount: 0.3000'],
])('%s is refused before any request', async (_name, change, message) => {
	const api = transferApiOf();
	const { error } = await transfer(api, change);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(message),
		context: { itemIndex: 0 },
	});
	expect(api.requests).toEqual([]);
});
