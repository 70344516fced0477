import { CredentialTestContext } from 'n8n-core';

import { testWebhookSecret } from '../../nodes/CardPlatform/methods/credentialTest';

describe('Card Platform Webhook API', () => {
	const check = async (data: Record<string, string>) => {
		return await testWebhookSecret.call(new CredentialTestContext(), {
			id: '1',
			name: 'test',
			type: 'cardPlatformWebhookApi',
			data,
		});
	};

	test.each<[string, Record<string, string>, string, RegExp]>([
		['a secret', { signingSecret: 'whsec_1' }, 'OK', /Format looks valid/],
		['two secrets', { signingSecret: 'a', previousSigningSecret: 'b' }, 'OK', /Format looks valid/],
		['a line break at the end', { signingSecret: 'whsec_1\n' }, 'OK', /Format looks valid/],
		['none', { signingSecret: '' }, 'Error', /is empty/],
		[
			'none, but a previous one',
			{ signingSecret: '', previousSigningSecret: 'b' },
			'Error',
			/is empty/,
		],
		['only blanks', { signingSecret: '  ' }, 'Error', /is empty/],
		['a blank inside', { signingSecret: 'wh sec' }, 'Error', /white space/],
		[
			'a blank inside the previous',
			{ signingSecret: 'a', previousSigningSecret: 'b c' },
			'Error',
			/white space/,
		],
	])('%s', async (_name, data, status, message) => {
		const result = await check(data);
		expect(result.status).toBe(status);
		expect(result.message).toMatch(message);
	});
});
