import {
	DEFAULT_CONCURRENT_REQUESTS,
	QUERY_PARAMETER_NAMES,
} from '../../nodes/CardPlatform/api/assumptions';
import { readApiConfig } from '../../nodes/CardPlatform/api/config';

const read = (more: object) =>
	readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'key', ...more });

const values = { maxConcurrentRequests: 3, parameterNames: '{"page":"p"}' };

const defaults = {
	maxConcurrentRequests: DEFAULT_CONCURRENT_REQUESTS,
	parameterNames: QUERY_PARAMETER_NAMES,
};

test('with Advanced on, its fields apply', () => {
	expect(read({ advanced: true, ...values })).toMatchObject({
		maxConcurrentRequests: 3,
		parameterNames: { ...QUERY_PARAMETER_NAMES, page: 'p' },
	});
	expect(read({ advanced: true })).toMatchObject(defaults);
});

test.each<[string, object]>([
	['off', { advanced: false }],
	['missing, as in a credential that was made through the API of n8n', {}],
])('with Advanced %s, values that are left in its fields do not apply', (_name, advanced) => {
	expect(read({ ...advanced, ...values })).toMatchObject(defaults);
	const wrong = { maxConcurrentRequests: 'many', parameterNames: 7 };
	expect(read({ ...advanced, ...wrong })).toMatchObject(defaults);
	expect(() => read({ advanced: true, ...wrong })).toThrow('Max Concurrent Requests');
});
