import '../../support/noWaits';

import { z } from 'zod';

import { runNode } from '../../../harness/core/runNode.ts';
import { eventually } from '../../../harness/tools/waiting.ts';
import { recordContract } from '../../support/contract';
import { operations, webhooks } from '../../support/openapi';
import { startSandbox, type TestSandbox } from '../../support/sandbox';
import { startTrigger } from '../../support/trigger';
import { CASES, type OperationCase, type RawRequest } from './cases';

const pairs = operations.flatMap(({ method, path, responses }) =>
	[...responses.keys()].map((status) => ({
		operation: `${method} ${path}`,
		status: Number(status),
	})),
);

type Pair = (typeof pairs)[number];

const nameOf = ({ operation, status }: Pair) => `${operation} ${status}`;

/** What the tests put on the wire, such as "GET /cards 200". */
const exercised = new Set<string>();

const turnOffEverything = async (sandbox: TestSandbox) => {
	for (const id of await sandbox.accountIds()) {
		const off = { cardManagement: false, accountManagement: false };
		await sandbox.client.setFeatures(id, off);
	}
};

const failInside = async (sandbox: TestSandbox) =>
	await sandbox.client.setFaults([{ kind: 'status', status: 500 }]);

/** What has to be so before an operation is asked, for it to answer with a status. */
const PREPARE: Record<number, (sandbox: TestSandbox) => Promise<unknown>> = {
	403: turnOffEverything,
	500: failInside,
};

async function sendRaw(sandbox: TestSandbox, { method, path, body }: RawRequest): Promise<number> {
	const response = await fetch(`${sandbox.apiUrl}${path}`, {
		method,
		headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	return response.status;
}

/** A request whose body is larger than 1 MB, to an operation that takes one. */
function tooLarge(operation: string): RawRequest {
	const [method = '', path = ''] = operation.replace(/\{[^}]+\}/, '1001').split(' ');
	return { method, path, body: { name: 'x'.repeat(2 ** 20) } };
}

/** Runs the node; gives the status of its error, undefined where it succeeds. */
async function runCase(
	sandbox: TestSandbox,
	{ node, unknown, refused }: OperationCase,
	status: number,
): Promise<number | undefined> {
	const change = { 400: refused, 404: unknown }[status] ?? {};
	const { error } = await runNode({
		parameters: { ...node, ...change },
		credentials: sandbox.credentials(status === 401 ? { apiKey: 'no-such-key' } : {}),
	});
	return error && z.object({ httpCode: z.coerce.number() }).parse(error).httpCode;
}

test.each(pairs)('$operation → $status', async ({ operation, status }) => {
	const found = CASES[operation];
	if (found === undefined) throw new Error('there is no case for this operation');
	const raw = { 400: found.refusedRaw, 413: tooLarge(operation) }[status];

	const { hooks, problems, counts } = recordContract(raw ? 'any' : 'checked');
	const sandbox = await startSandbox(hooks);
	try {
		await PREPARE[status]?.(sandbox);
		const answered = raw ? await sendRaw(sandbox, raw) : await runCase(sandbox, found, status);
		expect(answered).toBe(status < 300 ? undefined : status);
	} finally {
		// Left open after a failure, it would keep jest from ending.
		await sandbox.close();
	}
	expect(problems).toEqual([]);
	for (const name of counts.keys()) exercised.add(name);
});

test('a webhook, to the trigger', async () => {
	const { hooks, problems, counts } = recordContract('checked');
	const sandbox = await startSandbox(hooks);
	const [accountId] = await sandbox.accountIds();
	let signingSecret = '';
	const trigger = await startTrigger(() => ({ cardPlatformWebhookApi: { signingSecret } }));
	try {
		({ signingSecret } = await sandbox.client.subscribe(accountId ?? 0, trigger.url));
		await sandbox.client.authorize({
			cardId: 'ca4d0000-0000-4000-8000-000000000003',
			amount: '12.50',
			merchantName: 'BRASSERIE ALMA',
			mcc: '5812',
			decline: { reason: 'suspected_fraud' },
		});
		await eventually(() => expect(trigger.results).toHaveLength(1));
	} finally {
		await sandbox.close();
		await trigger.close();
	}
	expect(trigger.results[0]?.workflowData).toHaveLength(1);
	expect(problems).toEqual([]);
	for (const name of counts.keys()) exercised.add(name);
});

test('every operation was answered with every status', () => {
	const documented = [...pairs.map(nameOf), ...webhooks.map(({ path }) => `webhook ${path}`)];
	expect([...exercised].sort()).toEqual(documented.sort());
	expect(Object.keys(CASES).sort()).toEqual(
		operations.map(({ method, path }) => `${method} ${path}`).sort(),
	);
});
