import { execute, send, useFakeClock } from '../support/execute';
import { type ApiRequest, fakeApi, refusal, type Reply, type Respond } from '../support/fakeApi';
import { parametersOf } from '../support/operations';

// What only an API of the test's own can show; testApi.http.test.ts has the dialects of the sandbox.

useFakeClock();

const parameters = parametersOf('connection/testApi');
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Cards, of which each second one is frozen; the newest first. */
const cards = Array.from({ length: 8 }, (_, index) => ({
	id: idOf(index),
	name: `Secret name ${index}`,
	status: index % 2 === 0 ? 'active' : 'frozen',
	createdAt: new Date(Date.UTC(2026, 0, 30 - index)).toISOString(),
}));
const respond: Respond = ({ path }) => ({
	body: path === '/health' ? {} : path.includes('/', 1) ? { id: 'x' } : cards,
});
const failing =
	(fails: (request: ApiRequest) => boolean, reply: Reply): Respond =>
	(request, count) =>
		fails(request) ? reply : respond(request, count);

test('at most two requests are in flight, and at most 60 are sent, all of them GETs', async () => {
	// Nothing but the names that are tried last.
	const names = 'page page[size] sortOrder end_date start_date cardIds status[] account-id'.split(
		' ',
	);
	const refuses: Respond = (request, count) =>
		Object.keys(request.query).every((name) => names.includes(name))
			? respond(request, count)
			: refusal(400);
	const api = fakeApi(refuses, { latency: 10 });
	const { json, error } = await execute(api, parameters);
	expect(error).toBeUndefined();
	expect(api.mostInFlight()).toBe(2);
	// And the first one, whose failure is that of the node.
	expect(api.requests).toHaveLength(61);
	expect(api.requests.every(({ method }) => method === 'GET')).toBe(true);
	expect(json.some(({ evidence }) => evidence === 'Not asked: 60 requests were sent')).toBe(true);
});

test.each([401, 500])('a %s for everything fails the node', async (status) => {
	const { error } = await send(parameters, () => refusal(status));
	expect(error).toMatchObject({ httpCode: String(status) });
});

test.each([
	[500, 'failed'],
	[403, 'refused'],
	[404, 'refused'],
])('a list with a %i is one %s; the others are asked', async (status, result) => {
	const isSettlements = ({ path }: ApiRequest) => path === '/settlements';
	const { json } = await send(parameters, failing(isSettlements, refusal(status)));
	const about = (topic: string) => json.filter((item) => item.topic === topic);
	expect(about('settlements').map((item) => item.result)).toEqual([result]);
	expect(about('transactions').length).toBeGreaterThan(8);
});

test('the hint above the output counts the results, and has what to paste; several items ask once', async () => {
	const byLimit: Respond = ({ path, query }, count) =>
		path.includes('/', 1) || path === '/health'
			? respond({ path } as ApiRequest, count)
			: { body: cards.slice(0, Number(query.limit ?? 8)) };
	const { hints, items } = await send(parameters, byLimit, { items: [{}, {}] });
	const words = ' different, \\d+ ignored, .*Paste into Parameter Names.*: {"pageSize":"limit"}';
	expect(hints).toMatchObject([{ message: expect.stringMatching(words) }]);
	expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
});

test.each([
	['page_size', 'per_page', 'ignored', { pageSize: 'page_size' }],
	['pageSize', 'per_page', 'different', { pageSize: '' }],
])('lists that need %s and %s', async (first, second, result, proposed) => {
	const names: Record<string, string> = { '/cards': first, '/transactions': second };
	const { json } = await send(parameters, (request: ApiRequest, count: number) => {
		const size = Number(request.query[names[request.path] ?? ''] ?? 8);
		return request.path in names ? { body: cards.slice(0, size) } : respond(request, count);
	});
	const find = (topic: string, question: RegExp) =>
		json.find((item) => item.topic === topic && question.test(item.question as string));
	expect(find('transactions', /pageSize/)).toMatchObject({ result });
	expect(find('names', /names/)?.whatToDo).toContain(JSON.stringify(proposed));
});

test('fewer than four records: no data', async () => {
	const few: Respond = ({ path }) => ({ body: path === '/cards' ? cards.slice(0, 2) : [] });
	const { json } = await send(parameters, few);
	const sizes = json.filter(({ question }) => question === 'Does pageSize work?');
	expect(sizes.map(({ result }) => result)).toEqual(['no data', 'no data', 'no data']);
});

test('clock, rate limit, and a payment range that has no effect', async () => {
	const payments = [1, 2, 3, 4].map((day) => ({ id: idOf(day), dueDate: `2026-11-0${day}` }));
	const headers = { date: 'Sat, 21 Nov 2026 12:10:00 GMT', 'x-ratelimit-limit': '100' };
	const { json } = await send(parameters, async (request: ApiRequest, count: number) =>
		request.path === '/payments'
			? { body: { data: payments } }
			: { ...(await respond(request, count)), headers },
	);
	const find = (question: string) => json.find((item) => item.question === question);
	const clock = find('Do the clocks agree?');
	expect(clock).toMatchObject({ result: 'different', section: '6' });
	expect(clock?.evidence).toMatch(/600 s ahead.*x-ratelimit-limit.*100/);
	expect(find('Does from work?')).toMatchObject({ result: 'ignored', topic: 'payments' });
	expect(find('Does to work?')).toMatchObject({ result: 'ignored' });
});

test('the output has nothing of a card but its ID', async () => {
	const { json } = await send(parameters, respond);
	expect(json.length).toBeGreaterThan(20);
	expect(JSON.stringify(json)).not.toContain('Secret name');
});
