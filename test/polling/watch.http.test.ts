import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { type HttpServer, json, startServer } from '../../dev/harness/httpServer.ts';
import { createPollingTrigger } from '../support/pollingTrigger';

type Row = Record<string, unknown>;

const DAY = 86_400_000;

/** Already the 27th in UTC, still the 26th in New York, whose calendar n8n uses unless told otherwise. */
const NOW = Date.parse('2026-11-27T03:00:00Z');

const setClock = (time: number) => jest.spyOn(Date, 'now').mockReturnValue(time);

const daysAhead = (days: number) =>
	new Date(Date.parse('2026-11-26') + days * DAY).toISOString().slice(0, 10);

/** An API of a few records. */
const api = {
	transactions: [] as Row[],
	cards: [] as Row[],
	payments: [] as Row[],
	balance: {} as Row,
	status: 200,
	urls: [] as string[],
	/** Responses that drip until a test ends them; undefined: none does. */
	dripping: undefined as ServerResponse[] | undefined,
};

let server: HttpServer;
beforeAll(async () => {
	/** The status and the body of a response. */
	const respond = (url: string): [number, unknown] => {
		const { pathname, searchParams } = new URL(url, 'http://localhost');
		if (api.status !== 200) return [api.status, { code: 'some-code' }];
		if (pathname === '/balance') return [200, api.balance];
		if (pathname === '/payments') {
			const [from = '', to = ''] = ['from', 'to'].map((name) => searchParams.get(name) ?? '');
			const isIn = (date: string) => from <= date && date <= to;
			return [200, { data: api.payments.filter(({ dueDate }) => isIn(String(dueDate))) }];
		}
		const rows = pathname === '/cards' ? api.cards : api.transactions;
		return [
			200,
			{ data: rows, page: 1, pageSize: 100, totalItemCount: rows.length, totalPages: 1 },
		];
	};
	server = await startServer(({ url }, response) => {
		api.urls.push(url);
		if (api.dripping === undefined) {
			json(response, ...respond(url));
			return;
		}
		api.dripping.push(response.writeHead(200));
		response.write(' ');
	});
});
afterAll(async () => await server.close());
afterEach(() => jest.restoreAllMocks());

beforeEach(() => {
	setClock(NOW);
	const createdAt = new Date(NOW).toISOString();
	Object.assign(api, {
		status: 200,
		transactions: ['pending', 'settled'].map((status, number) => ({
			id: `t${number}`,
			cardId: 'c0',
			amount: '25.00',
			currency: 'USD',
			merchantName: 'Bakery',
			status,
			createdAt,
		})),
		cards: ['active', 'frozen'].map((status, number) => ({
			id: `c${number}`,
			name: `Card ${number}`,
			lastFour: '1234',
			status,
			createdAt,
		})),
		payments: [{ id: 'p0', amount: '9.00', dueDate: daysAhead(1), status: 'open' }],
		balance: {
			availableCreditLimit: '6000.00',
			overallCreditLimit: '10000.00',
			last24HoursSpend: '0.00',
			last30DaysSpend: '0.00',
		},
	});
});

function createTrigger(parameters: INodeParameters) {
	return createPollingTrigger(credentialsFor(server.url), { ...parameters });
}

async function publish(parameters: INodeParameters) {
	const trigger = createTrigger(parameters);
	const poll = trigger.activate();
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
	return { ...trigger, poll };
}

const delivery = { source: 'polling', changeId: expect.any(String) };

test('a transaction that has settled, once, and through a restart', async () => {
	const { poll, activate, execute } = await publish({ watch: 'transactions' });
	expect(api.urls.at(-1)).toContain('createdAfter=2026-10-');
	Object.assign(api.transactions[0] ?? {}, { status: 'settled' });
	const items = (await poll()) ?? [];
	expect(items).toEqual([
		{
			summary: 'Settled: 25.00 USD at Bakery',
			previousStatus: 'pending',
			detectedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			...api.transactions[0],
			delivery,
		},
	]);
	expect(await execute(items)).toEqual(items);
	const again = activate('init');
	expect(await again()).toEqual([{ ...items[0], detectedAt: expect.any(String) }]);
	expect(await execute(items)).toEqual([]);
	Object.assign(api.transactions[1] ?? {}, { status: 'pending' });
	expect(await again()).toBeNull();
});

test('a transaction with its card', async () => {
	const options = { includeCard: true };
	const { poll } = await publish({ watch: 'transactions', options });
	Object.assign(api.transactions[0] ?? {}, { status: 'settled' });
	expect(await poll()).toMatchObject([{ id: 't0', cardName: 'Card 0', cardLastFour: '1234' }]);
});

test('only transactions that pass the filters', async () => {
	const { poll } = await publish({
		watch: 'transactions',
		transactionStatuses: ['settled', 'declined'],
		filters: { minimumAmount: '30' },
	});
	Object.assign(api.transactions[0] ?? {}, { status: 'settled' });
	Object.assign(api.transactions[1] ?? {}, { status: 'SETTLED' });
	const refund = { amount: '30.00', amountDirection: 'credit' };
	api.transactions.push({ ...api.transactions[1], id: 't2', ...refund });
	const summary = 'Settled refund: 30.00 USD at Bakery';
	expect(await poll()).toMatchObject([{ id: 't2', summary, previousStatus: null }]);
});

test('a card that was frozen, each time', async () => {
	const trigger = await publish({ watch: 'cards', cardChanges: ['frozen', 'created'] });
	const { poll, execute, hints } = trigger;
	for (let time = 0; time < 2; time++) {
		Object.assign(api.cards[0] ?? {}, { status: 'frozen' });
		const items = (await poll()) ?? [];
		const summary = 'Frozen: Card 0 (1234)';
		expect(items).toMatchObject([{ id: 'c0', summary, previousStatus: 'active', delivery }]);
		expect(await execute(items)).toEqual(items);
		Object.assign(api.cards[0] ?? {}, { status: 'active' });
		// An execution without items stores it, as the card can be frozen again.
		expect(await poll()).toEqual([]);
		expect(await execute([])).toEqual([]);
		expect(hints.splice(0)).toEqual([
			expect.stringMatching(/^This execution is empty on purpose: n8n saves/),
		]);
	}
	api.cards.push({ id: 'c2', status: 'active' });
	expect(await poll()).toMatchObject([{ id: 'c2', summary: 'New card', previousStatus: null }]);
});

test('a payment that is due soon, new, or has changed', async () => {
	const due = await publish({ watch: 'payments' });
	const all = await publish({ watch: 'payments', paymentChanges: ['new', 'statusChanged'] });
	const changed = await publish({ watch: 'payments', paymentChanges: ['statusChanged'] });
	api.payments.push(
		{ id: 'later', dueDate: daysAhead(20), status: 'open' },
		{ id: 'soon', amount: '9.00', dueDate: daysAhead(2), status: 'open', descriptor: 'Rent' },
	);
	const summary = `Due ${daysAhead(2)}: 9.00 Rent (open)`;
	const soon = { id: 'soon', summary, daysUntilDue: 2, previousStatus: null };
	expect(await due.poll()).toMatchObject([soon]);
	expect(await all.poll()).toMatchObject([{ id: 'soon' }, { id: 'later' }]);
	expect(await changed.poll()).toBeNull();
	Object.assign(api.payments[1] ?? {}, { status: 'paid' });
	for (const { poll } of [all, changed])
		expect(await poll()).toMatchObject([{ id: 'later', previousStatus: 'open' }]);
	expect(await due.poll()).toEqual([]);
	setClock(NOW + 17 * DAY);
	expect(await due.poll()).toMatchObject([{ id: 'later', daysUntilDue: 3 }]);
	setClock(NOW);
	expect(await due.poll()).toBeNull();
});

test('a due payment starts the workflow again if its due date moves', async () => {
	const { poll } = await publish({ watch: 'payments' });
	Object.assign(api.payments[0] ?? {}, { dueDate: daysAhead(2) });
	expect(await poll()).toMatchObject([{ id: 'p0', daysUntilDue: 2, previousStatus: 'open' }]);
	expect(await poll()).toBeNull();
});

test('a due payment that is paid starts the workflow once, even if its due date moves', async () => {
	const { poll } = await publish({ watch: 'payments', paymentChanges: ['due', 'statusChanged'] });
	Object.assign(api.payments[0] ?? {}, { status: 'paid' });
	expect(await poll()).toMatchObject([{ id: 'p0', previousStatus: 'open' }]);
	Object.assign(api.payments[0] ?? {}, { dueDate: daysAhead(25) });
	expect(await poll()).toEqual([]);
});

/** The condition, the threshold, the field that crosses it, and what is said. */
test.each([
	[
		'availableBelow',
		'5000',
		'availableCreditLimit',
		'4999.99',
		'5000.00',
		'4,999.99, below 5,000.00',
	],
	['availableBelow', '50%', 'availableCreditLimit', '4999.99', '5000.00', '4,999.99, below 50%'],
	[
		'availableBelow',
		'50.005%',
		'availableCreditLimit',
		'5000.49',
		'5000.50',
		'5,000.49, below 50.005%',
	],
	['spend24hAbove', '100', 'last24HoursSpend', '100.01', '100.00', '100.01, above 100.00'],
	['spend30dAbove', '100', 'last30DaysSpend', '100.01', '100.00', '100.01, above 100.00'],
])('a balance that crosses a threshold: %s %s', async (...each) => {
	const [balanceCondition, given, field, crossed, normal, says] = each;
	const isPercent = given.endsWith('%');
	const threshold = given.replace('%', '');
	const thresholdUnit = isPercent ? 'percent' : 'amount';
	const parameters = { balanceCondition, threshold, thresholdUnit };
	const shown = isPercent ? given : `${given}.00`;
	const summary = expect.stringMatching(
		new RegExp(`^(Available Credit|Spend of (24 Hours|30 Days)) is ${says}$`),
	);
	const { poll } = await publish({ watch: 'balance', ...parameters });
	for (let time = 0; time < 2; time++) {
		api.balance[field] = crossed;
		expect(await poll()).toMatchObject([{ [field]: crossed, threshold: shown, summary }]);
		expect(await poll()).toBeNull();
		api.balance[field] = normal;
		expect(await poll()).toEqual([]);
	}
});

test('of a credit limit of 0, less than any percentage is left', async () => {
	const parameters = { watch: 'balance', threshold: '10', thresholdUnit: 'percent' };
	const { poll } = await publish(parameters);
	Object.assign(api.balance, { availableCreditLimit: '0.00', overallCreditLimit: '0.00' });
	expect(await poll()).toMatchObject([{ availableCreditLimit: '0.00', threshold: '10%' }]);
	expect(await poll()).toBeNull();
});

test('a due payment that is listed without its status has not changed', async () => {
	const { poll } = await publish({ watch: 'payments', paymentChanges: ['statusChanged'] });
	const [payment = {}] = api.payments;
	const { status } = payment;
	Object.assign(payment, { status: null });
	expect(await poll()).toBeNull();
	Object.assign(payment, { status });
	expect(await poll()).toBeNull();
});

test('another threshold starts over, and so does the one before it', async () => {
	const trigger = await publish({ watch: 'balance', threshold: '5000' });
	const { poll, execute, node } = trigger;
	const crossIt = async () => {
		api.balance.availableCreditLimit = '4000.00';
		return await execute((await poll()) ?? []);
	};
	expect(await crossIt()).toHaveLength(1);
	for (const threshold of ['7000', '5000']) {
		setClock(Date.now() + 60_000);
		api.balance.availableCreditLimit = '6000.00';
		node.parameters.threshold = threshold;
		expect(await poll()).toEqual([]);
		expect(await poll()).toBeNull();
	}
	expect(await crossIt()).toHaveLength(1);
	expect(trigger.warnings[0]).toMatch(/Watching balance since \S+Z\. /);
	expect(trigger.errors).toEqual([]);
});

test('another number of days for bills starts over', async () => {
	api.payments.push({ id: 'later', dueDate: daysAhead(20), status: 'open' });
	const { poll, node } = await publish({ watch: 'payments' });
	node.parameters.dueWithin = 30;
	expect(await poll()).toEqual([]);
});

test('a failure changes nothing', async () => {
	const { poll, stored } = await publish({ watch: 'cards' });
	const before = stored();
	api.status = 404;
	await expect(poll()).rejects.toThrow(/\(404 some-code\)$/);
	expect(stored()).toBe(before);
	api.status = 200;
	expect(await poll()).toBeNull();
});

test.each(['cardEvents', 'transactions', 'cards', 'payments', 'balance'])(
	'a response that never ends fails the poll at its deadline, and the next one runs: %s',
	async (watch) => {
		const { poll, stored } = await publish({ watch, threshold: '5000' });
		const before = stored();
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(200));
		api.dripping = [];
		await expect(poll()).rejects.toThrow('did not send its whole response in time');
		for (const response of api.dripping) response.end();
		api.dripping = undefined;
		jest.restoreAllMocks();
		setClock(NOW);
		expect(stored()).toBe(before);
		expect(await poll()).toBeNull();
	},
);

test('Fetch Test Event gets the newest record that matches, or else the newest, and says so', async () => {
	const run = async (parameters: INodeParameters) => {
		const { execute, hints } = createTrigger(parameters);
		return [...(await execute([{}], 'manual')), ...hints];
	};
	const [older, settled] = api.transactions;
	api.urls = [];
	expect(await run({ watch: 'transactions' })).toMatchObject([{ id: 't1', status: 'settled' }]);
	// Those of a day are enough.
	expect(api.urls).toHaveLength(1);
	Object.assign(older ?? {}, { status: 'settled', createdAt: new Date(NOW - 1_000).toISOString() });
	expect(await run({ watch: 'transactions' })).toMatchObject([{ id: 't1' }]);
	// Of the last day, nothing has settled.
	Object.assign(older ?? {}, { status: 'pending' });
	Object.assign(settled ?? {}, { createdAt: daysAhead(-5) });
	const [found] = await run({ watch: 'transactions' });
	expect(found).toMatchObject({ id: 't1' });
	const unmatched = await run({ watch: 'transactions', transactionStatuses: ['released'] });
	expect(unmatched.at(-1)).toContain('Nothing matches now (transactions)');
	api.urls = [];
	expect(await run({ watch: 'cards', cardChanges: ['archived'] })).toMatchObject([
		{ id: 'c1' },
		'Nothing matches now (cards). This is the newest, as an example.',
	]);
	expect(api.urls).toHaveLength(1);
	expect(await run({ watch: 'payments' })).toMatchObject([{ id: 'p0', daysUntilDue: 1 }]);
	expect(await run({ watch: 'balance', threshold: '7000' })).toMatchObject([
		{ summary: 'Available Credit is 6,000.00, below 7,000.00' },
	]);
	Object.assign(api, { cards: [], payments: [] });
	for (const watch of ['cards', 'payments'])
		await expect(run({ watch })).rejects.toThrow(`The API has no ${watch}`);
});

test('a balance that cannot be read is an error', async () => {
	const { balance } = api;
	for (const field of ['availableCreditLimit', 'overallCreditLimit']) {
		api.balance = { ...balance, [field]: 'much' };
		const poll = createTrigger({ watch: 'balance', threshold: '5000' }).activate();
		await expect(poll()).rejects.toThrow('An amount of the balance is not a decimal number');
	}
});

test.each([
	[{ watch: 'cards', cardChanges: [] }, '"New Status"'],
	[{ watch: 'balance' }, 'Threshold is empty'],
	[{ watch: 'balance', threshold: '5,000' }, 'Threshold is not a valid amount'],
	[{ watch: 'payments', dueWithin: 366 }, 'Due Within (Days) is not valid: 366'],
	[{ watch: 'payments', dueWithin: 1.5 }, 'Due Within (Days) is not valid: 1.5'],
	[{ watch: 'nothing' }, 'Watch has an invalid value'],
])('wrong settings keep a workflow from being published: %j', async (parameters, message) => {
	await expect(createTrigger(parameters).activate()()).rejects.toThrow(message);
});

test('what polls have to say is in the log once, and above each execution', async () => {
	const options = { includeCard: true };
	const transactionStatuses = ['settled', 'declined'];
	const trigger = await publish({ watch: 'transactions', transactionStatuses, options });
	api.cards = [{}];
	for (const status of transactionStatuses) {
		Object.assign(api.transactions[0] ?? {}, { status });
		expect(await trigger.execute((await trigger.poll()) ?? [])).toMatchObject([{ status }]);
	}
	const says = expect.stringContaining('Include Card: the names of the cards are left out.');
	expect([trigger.hints, trigger.warnings]).toEqual([[says, says], [says]]);

	// Another one each time, as the words of an API may have a number: the newest are shown.
	for (let number = 1; number <= 30; number++) {
		api.cards = [...Array.from({ length: number }, () => ({ id: 'c0' })), {}];
		Object.assign(api.transactions[0] ?? {}, { status: transactionStatuses[number % 2] });
		trigger.hints.splice(0);
		await trigger.execute((await trigger.poll()) ?? []);
	}
	expect(trigger.hints).toHaveLength(10);
	expect(trigger.hints.at(0)).toContain('invalid: 21.id');
	expect(trigger.hints.at(-1)).toContain('invalid: 30.id');
});
