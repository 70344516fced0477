import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { errorMessage } from '../../dev/harness/tools/errors.ts';
import { useTestEnvironment } from '../workflows/environment.ts';

const environment = useTestEnvironment();

/** Tests a credential as n8n's dialog does; 2.8 and older refuses one that lacks something, with a message. */
const check = (type: string, data: object) =>
	environment()
		.n8n.testCredential(type, data)
		.catch((error: unknown) => ({ status: 'Error', message: errorMessage(error) }));

// credentialTest.http.test.ts has every message.
test.each<[string, object, string, RegExp]>([
	['the right key', {}, 'OK', /successful/],
	['a wrong key', { apiKey: 'wrong' }, 'Error', /The API key is not valid \(401\)/],
	['no key', { apiKey: '' }, 'Error', n8nIsSince('2') ? /no API key/ : /is mandatory/],
])('Card Platform API with %s', async (_name, change, status, message) => {
	const { api, apiKey } = environment().company;
	const result = await check('cardPlatformApi', { baseUrl: `${api.url}/`, apiKey, ...change });
	expect(result).toMatchObject({ status, message: expect.stringMatching(message) });
});

test('Card Platform API is not saved for a customer-scoped key without an account', async () => {
	const { n8n, company } = environment();
	const data = { baseUrl: company.api.url, apiKey: company.apiKey, keyScope: 'customer' };
	await expect(n8n.addCredential('cardPlatformApi', data)).rejects.toThrow(
		/accountId\W+is mandatory/,
	);
	const accountId = String(company.account.id);
	await n8n.addCredential('cardPlatformApi', { ...data, accountId });
});

test('Card Platform Webhook API has no test: only a delivery shows whether a secret is right', async () => {
	const result = await check('cardPlatformWebhookApi', { signingSecret: 'x' });
	expect(result.message).toMatch(/No testing function found/);
});
