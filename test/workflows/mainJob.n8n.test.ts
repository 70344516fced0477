import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { forgedDelivery, ordinaryPurchase, suspiciousPurchase } from '../../demo/scenario.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
import { cardPlatform, readWorkflow } from '../../harness/n8n/workflow.ts';
import {
	addApiCredential,
	addAutomation,
	type DemoEnvironment,
} from '../../harness/scenario/automation.ts';
import { eventIdOf, type Outcome } from '../../harness/scenario/purchase.ts';
import { startSandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { errorMessage } from '../../harness/tools/errors.ts';
import { workflowFile } from '../../harness/tools/paths.ts';
import { recordContractOfEachTest } from '../support/contract';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { cardEvent, execute, executionsBecauseOf } from '../trigger/events.ts';
import { refusedDeliveries } from '../trigger/refusedDeliveries.ts';

const previousSecret = 'the-secret-from-before-the-rotation';

const contract = recordContractOfEachTest('checked');
const cleanup = new Cleanup();
const shared = useSharedN8n();
let environment: DemoEnvironment;

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const company = await startSandboxFixture({ folder, cleanup }, contract);
	const { n8n } = shared();
	const credentials = { [cardPlatform.action]: await addApiCredential(n8n, company) };
	const file = await readWorkflow(workflowFile);
	const automation = await addAutomation(n8n, company, file, { credentials, previousSecret });
	environment = { company, automation };
}, 300_000);

afterAll(() => cleanup.run(), 180_000);

jest.setTimeout(400_000);

describe('the package in n8n', () => {
	it('is installed from the packed tarball', async () => {
		const file = join(shared().userFolder, '.n8n', 'nodes', 'package.json');
		const list = z.object({ dependencies: z.record(z.string()) });
		const { dependencies } = list.parse(JSON.parse(await readFile(file, 'utf8')));
		expect(Object.keys(dependencies)).toEqual(['n8n-nodes-card-platform']);
		expect(dependencies['n8n-nodes-card-platform']).toMatch(/^file:.*\.tgz$/);
	});

	it('brings both nodes and both credentials', async () => {
		const list = z.array(z.object({ name: z.string() }));
		const { n8n } = environment.automation;
		const nodes = await n8n.getJson('/types/nodes.json', list);
		expect(nodes.map(({ name }) => name)).toEqual(
			expect.arrayContaining([
				'n8n-nodes-card-platform.cardPlatform',
				'n8n-nodes-card-platform.cardPlatformTrigger',
			]),
		);
		const credentials = await n8n.getJson('/types/credentials.json', list);
		expect(credentials.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['cardPlatformApi', 'cardPlatformWebhookApi']),
		);
	});
});

describe('the demo', () => {
	/** The purchases that the workflow has been executed for. */
	const real: Outcome[] = [];

	const purchase = async (kind: typeof ordinaryPurchase): Promise<Outcome> => {
		await environment.company.api.unfreeze(environment.company.active[0].id);
		const outcome = await kind(environment);
		real.push(outcome);
		return outcome;
	};

	it('executes the workflow for an ordinary purchase and leaves the card active', async () => {
		expect(await purchase(ordinaryPurchase)).toMatchObject({
			httpStatus: 200,
			execution: { status: 'success', workflowId: environment.automation.workflowId },
			triedToFreeze: false,
			card: { id: environment.company.active[0].id, status: 'active' },
		});
	});

	it('freezes the card after a suspicious purchase', async () => {
		expect(await purchase(suspiciousPurchase)).toMatchObject({
			httpStatus: 200,
			execution: { status: 'success', workflowId: environment.automation.workflowId },
			triedToFreeze: true,
			card: { id: environment.company.active[0].id, status: 'frozen' },
		});
	});

	it('turns a forged delivery away and records no execution', async () => {
		await purchase(suspiciousPurchase);
		const forgery = await forgedDelivery(environment, real);
		expect(forgery).toMatchObject({
			httpStatus: 401,
			card: { id: environment.company.active[1].id, status: 'active' },
			executions: real.length + 1,
			strays: 0,
		});
	});
});

describe('a delivery that is', () => {
	it.each(Object.entries(refusedDeliveries))(
		'%s is refused and starts nothing',
		async (_, make) => {
			const { webhookUrl, signingSecret } = environment.automation;
			const event = cardEvent(environment.company.active[1].id);
			const delivery = make(signedDelivery(event, signingSecret), signingSecret);
			const executions = await executionsBecauseOf(environment, async () => {
				const status = await deliver(webhookUrl, delivery);
				expect([400, 401]).toContain(status);
			});
			expect(executions).toBe(0);
		},
	);

	it('signed with the previous secret is accepted', async () => {
		const event = cardEvent(environment.company.active[1].id);
		const execution = await execute(environment.automation, event, previousSecret);
		expect(execution.status).toBe('success');
		expect(eventIdOf(execution)).toBe(event.id);
	});
});

describe('the credential dialog', () => {
	// n8n 2.8 and older does not store a credential that lacks something; the dialog shows what it says.
	const check = (type: string, data: object) =>
		shared()
			.n8n.testCredential(type, data)
			.catch((error: unknown) => ({ status: 'Error', message: errorMessage(error) }));

	const lacking = (message: RegExp) => (n8nIsSince('2.30') ? message : /is mandatory/);

	it.each<[string, object, string, RegExp]>([
		['the right key', {}, 'OK', /successful/],
		['a wrong key', { apiKey: 'wrong' }, 'Error', /\(401 unauthorized\)\. Check the API key/],
		['no key', { apiKey: '' }, 'Error', lacking(/no API key/)],
		['no Base URL', { baseUrl: '' }, 'Error', lacking(/no Base URL/)],
		[
			'http to another machine',
			{ baseUrl: 'http://example.com', apiKey: 'x' },
			'Error',
			/not encrypted/,
		],
		[
			'nobody there',
			{ baseUrl: 'http://127.0.0.1:1' },
			'Error',
			/^No server is listening at 127\.0\.0\.1:1 \(connection refused\)\. Check/,
		],
		[
			'an unknown parameter name',
			{ advanced: true, parameterNames: '{"x": "y"}' },
			'Error',
			/unknown name: x\./,
		],
		[
			'an unknown parameter name that is hidden',
			{ advanced: false, parameterNames: '{"x": "y"}' },
			'OK',
			/successful/,
		],
	])('Card Platform API with %s', async (_name, change, status, message) => {
		const { api, apiKey } = environment.company;
		const result = await check('cardPlatformApi', { baseUrl: `${api.url}/`, apiKey, ...change });
		expect(result.status).toBe(status);
		expect(result.message).toMatch(message);
	});

	it('Card Platform API with a Base URL that is not that of the API', async () => {
		const { api, apiKey } = environment.company;
		const { origin } = new URL(api.url);
		const prefix = /must include the path prefix, usually \/v1\/public/;
		const https = /did not accept https \(EPROTO\)\. .* start Base URL with http:\/\//;
		const cases = [
			[origin, prefix],
			[api.url.replace('http:', 'https:'), https],
		] as const;
		for (const [baseUrl, message] of cases) {
			const result = await check('cardPlatformApi', { baseUrl, apiKey });
			expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
		}
	});

	it('Card Platform API refuses a customer-scoped key without an account', async () => {
		const { n8n } = shared();
		const { api, apiKey } = environment.company;
		const data = { baseUrl: api.url, apiKey, keyScope: 'customer' };
		await expect(n8n.addCredential('cardPlatformApi', data)).rejects.toThrow(
			/accountId\W+is mandatory/,
		);
		const accountId = String(environment.company.account.id);
		await n8n.addCredential('cardPlatformApi', { ...data, accountId });
	});

	it('Card Platform Webhook API has no test: only a delivery shows whether a secret is right', async () => {
		const result = await check('cardPlatformWebhookApi', { signingSecret: 'x' });
		expect(result.message).toMatch(/No testing function found/);
	});
});

describe('the workflow', () => {
	const declined = { isSuccess: false };
	const abroad = { merchantCountry: 'RO' };
	const unknown = { isSuccess: undefined, merchantCountry: undefined, amount: undefined };

	it.each([
		['a decline abroad', { ...declined, ...abroad }, 'frozen'],
		['an approved purchase of 1000', { amount: '1000.00' }, 'frozen'],
		['an approved purchase just below', { amount: '999.99' }, 'active'],
		['an approved purchase of far more', { amount: '20000.00' }, 'frozen'],
		['a large purchase declined at home', { ...declined, amount: '1000.00' }, 'active'],
		['a decline at home', declined, 'active'],
		['an approved purchase abroad', abroad, 'active'],
		['a decline in an unknown country', { ...declined, merchantCountry: undefined }, 'active'],
		['a decline in a home country in lower case', { ...declined, merchantCountry: 'us' }, 'active'],
		['a large reversal', { amount: '5000.00', isReversal: true }, 'active'],
		['a large refund', { amount: '5000.00', amountDirection: 'credit' }, 'active'],
		['an event that says next to nothing', unknown, 'active'],
	])('after %s the card is as it should be', async (_, changes, status) => {
		const { api, active } = environment.company;
		const card = active[1];
		await api.unfreeze(card.id);
		const execution = await execute(environment.automation, cardEvent(card.id, changes));
		expect(execution.status).toBe('success');
		expect(await api.card(card.id)).toMatchObject({ status });
	});
});
