import '../../support/noWaits';

import type { INodeParameters } from 'n8n-workflow';

import type { Credentials } from '../../../dev/harness/core/credentials.ts';
import { runNode } from '../../../dev/harness/core/runNode.ts';
import { eventually } from '../../../dev/harness/tools/waiting.ts';
import { recordContract } from '../../support/contract';
import { operations, webhooks } from '../../support/openapi';
import { ALL, byId, CARD, MORE, OPERATIONS } from '../../support/operations';
import { startSandbox, type TestSandbox } from '../../support/sandbox';
import { startTrigger } from '../../support/trigger';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** How a sandbox is brought to each of its responses to the node. */
interface Condition {
	prepare?: (sandbox: TestSandbox) => Promise<unknown>;
	credentials?: Credentials[string];
	unknown?: INodeParameters;
}

const CONDITIONS: Record<string, Condition> = {
	success: {},
	'a wrong key': { credentials: { apiKey: 'no-such-key' } },
	'no feature': {
		prepare: async (sandbox) => {
			const off = { cardManagement: false, accountManagement: false };
			for (const { id } of await sandbox.client.accounts()) {
				await sandbox.client.setFeatures(id, off);
			}
		},
	},
	'unknown IDs': {
		unknown: { accountId: '9999', cardId: byId(UNKNOWN), transactionId: byId(UNKNOWN) },
	},
	'a failure inside': {
		prepare: (sandbox) => sandbox.client.setFaults([{ kind: 'status', status: 500 }]),
	},
};

/** What was put on the wire, such as "GET /cards 200" and, of the node, "GET /cards ?page". */
const exercised = new Set<string>();

/** Runs something with a sandbox; nothing undocumented may go over the wire. */
async function record(
	requests: 'checked' | 'any',
	work: (sandbox: TestSandbox) => Promise<unknown>,
): Promise<void> {
	const { hooks, problems, seen } = recordContract(requests);
	const sandbox = await startSandbox(hooks);
	try {
		await work(sandbox);
	} finally {
		// Left open after a failure, it would keep jest from ending.
		await sandbox.close();
	}
	expect(problems).toEqual([]);
	for (const name of seen) {
		if (requests === 'checked' || !name.includes('?')) exercised.add(name);
	}
}

test.each(Object.entries(CONDITIONS))('the node, with %s', async (what, condition) => {
	// Test API reads pages.
	for (const { name, parameters } of what === 'success' ? ALL : OPERATIONS) {
		await record('checked', async (sandbox) => {
			await condition.prepare?.(sandbox);
			const all = { ...parameters, ...MORE[name] };
			const changes = Object.entries(condition.unknown ?? {}).filter(([field]) => field in all);
			await runNode({
				parameters: { ...all, ...Object.fromEntries(changes) },
				credentials: sandbox.credentials({ accountId: '1001', ...condition.credentials }),
			});
		});
	}
});

/** A request that the service refuses with 400: an invalid ID, body or page. */
const invalid = (path: string) =>
	path.includes('{') ? path.replace(/\{[^}]+\}/, 'no-id') : `${path}?page=0`;

test('invalid requests, which the node does not send', async () => {
	for (const { method, path } of operations.filter(({ responses }) => responses.has('400'))) {
		await record('any', async ({ apiUrl, apiKey }) => {
			const headers = { authorization: `Bearer ${apiKey}` };
			const request = { method, headers, ...(method !== 'GET' && { body: '{}' }) };
			expect((await fetch(apiUrl + invalid(path), request)).status).toBe(400);
		});
	}
});

test('a webhook, to the trigger', async () => {
	let signingSecret = '';
	const trigger = await startTrigger(() => ({ cardPlatformWebhookApi: { signingSecret } }));
	await record('checked', async (sandbox) => {
		const [account] = await sandbox.client.accounts();
		const accountId = account?.id ?? 0;
		({ signingSecret } = await sandbox.client.subscribe(accountId, trigger.url));
		const purchase = { cardId: CARD, amount: '12.50', merchantName: 'BRASSERIE ALMA', mcc: '5812' };
		await sandbox.client.authorize({ ...purchase, decline: { reason: 'suspected_fraud' } });
		await eventually(() => expect(trigger.results).toHaveLength(1), 15_000);
	});
	await trigger.close();
	expect(trigger.results[0]?.workflowData).toHaveLength(1);
});

test('every operation was sent with every parameter (MORE of test/support/operations.ts has the optional ones), and answered with every status', () => {
	const documented = operations.flatMap(({ method, path, responses, query }) =>
		[...responses.keys(), ...Object.keys(query).map((name) => `?${name}`)].map(
			(one) => `${method} ${path} ${one}`,
		),
	);
	const all = [...documented, ...webhooks.map(({ path }) => `webhook ${path}`)].filter(
		// The node compares names itself.
		(each) => each !== 'GET /cards ?name',
	);
	expect([...exercised].sort()).toEqual(all.sort());
});
