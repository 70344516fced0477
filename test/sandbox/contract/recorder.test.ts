import type { Exchange } from '../../../sandbox/http/exchange.ts';
import { recordContract } from '../../support/contract';
import { freeze, list, request, transfer, UNDOCUMENTED } from './exchanges';

function problemsOf(exchange: Exchange, requests: 'checked' | 'any' = 'checked'): string[] {
	const { hooks, problems } = recordContract(requests);
	hooks.onExchange(exchange);
	return problems;
}

test('what is documented passes and is counted', () => {
	const { hooks, problems, counts } = recordContract('checked');
	for (const exchange of [transfer, freeze, list, list]) hooks.onExchange(exchange);
	expect(problems).toEqual([]);
	expect([...counts]).toEqual([
		['POST /accounts/{account-id}/transfers 201', 1],
		['POST /cards/{card-id}/freeze 204', 1],
		['GET /payments 200', 2],
	]);
});

test.each(UNDOCUMENTED)('not documented: %s', (_name, exchange, change, problem) => {
	expect(problemsOf({ ...exchange, ...change })).toEqual(
		expect.arrayContaining([expect.stringContaining(problem)]),
	);
});

test('where a test asks what it likes, the answers are still checked', () => {
	const asked = { ...list, ...request('GET', '/payments', 'x=1') };
	expect(problemsOf(asked, 'any')).toEqual([]);
	expect(problemsOf({ ...asked, responseBody: '{}' }, 'any')).toHaveLength(1);
	expect(problemsOf({ ...asked, status: 418 }, 'any')).toHaveLength(1);
	const nowhere = { ...list, ...request('GET', '/refunds') };
	expect(problemsOf({ ...nowhere, status: 404 }, 'any')).toEqual([]);
	expect(problemsOf(nowhere, 'any')).toHaveLength(1);
});
