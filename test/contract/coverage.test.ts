import { eventually } from '../support/eventually.ts';
import { z } from 'zod';

import { recordContract } from '../support/contract';
import { operations, webhooks } from '../support/contractOperations';
import { runNode } from '../support/n8n';
import { startSandbox, type TestSandbox } from '../support/sandbox';
import { startTrigger } from '../support/trigger';
import { CASES, type OperationCase, type RawRequest } from './cases';
import { formatTable } from './table';

// Only the waiting between retries is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

const pairs = operations.flatMap(({ method, path, answers }) =>
	[...answers.keys()].map((status) => ({ operation: `${method} ${path}`, status: Number(status) })),
);
const nameOf = ({ operation, status }: (typeof pairs)[number]) => `${operation} ${status}`;

/** What all tests of this file have put on the wire. */
const exercised = new Map<string, number>();

const turnOffEverything = async (sandbox: TestSandbox) => {
	for (const id of await sandbox.accountIds()) {
		const off = { cardManagement: false, accountManagement: false };
		await sandbox.control(`/accounts/${id}/features`, off, 'PUT');
	}
};

const failInside = async (sandbox: TestSandbox) =>
	await sandbox.control('/faults', { rules: [{ kind: 'status', status: 500 }] }, 'PUT');

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
	const raw = status === 400 ? found.refusedRaw : undefined;

	const recorder = recordContract(raw ? 'any' : 'checked');
	const sandbox = await startSandbox(recorder.hooks);
	let answered: number | undefined;
	try {
		await PREPARE[status]?.(sandbox);
		answered = raw ? await sendRaw(sandbox, raw) : await runCase(sandbox, found, status);
	} finally {
		// Left open after a failure, it would keep jest from ending.
		await sandbox.close();
	}

	expect(answered).toBe(status < 300 ? undefined : status);
	expect(recorder.problems).toEqual([]);
	expect([...recorder.counts.keys()]).toEqual([nameOf({ operation, status })]);
	for (const [name, count] of recorder.counts) exercised.set(name, count);
});

test.each(webhooks)('webhook $path, to the trigger', async ({ path }) => {
	const recorder = recordContract('checked');
	const sandbox = await startSandbox(recorder.hooks);
	const [accountId] = await sandbox.accountIds();
	let signingSecret = '';
	const trigger = await startTrigger(() => ({ cardPlatformWebhookApi: { signingSecret } }));
	const endpoint = await sandbox.control('/endpoints', { accountId, url: trigger.url });
	({ signingSecret } = z.object({ signingSecret: z.string() }).parse(endpoint));
	await sandbox.control('/simulate/authorization', {
		cardId: 'ca4d0000-0000-4000-8000-000000000003',
		amount: '12.50',
		merchantName: 'BRASSERIE ALMA',
		mcc: '5812',
		decline: { reason: 'suspected_fraud' },
	});
	await eventually(() => expect(trigger.results).toHaveLength(1));
	await sandbox.close();
	await trigger.close();

	expect(trigger.results[0]?.workflowData).toHaveLength(1);
	expect(recorder.problems).toEqual([]);
	expect(recorder.counts).toEqual(new Map([[`webhook ${path}`, 1]]));
	exercised.set(`webhook ${path}`, 1);
});

test('every operation was answered with every status', () => {
	process.stdout.write(`\n${formatTable(pairs, exercised)}\n`);
	const documented = [...pairs.map(nameOf), ...webhooks.map(({ path }) => `webhook ${path}`)];
	expect([...exercised.keys()].sort()).toEqual(documented.sort());
	expect(Object.keys(CASES).sort()).toEqual(
		operations.map(({ method, path }) => `${method} ${path}`).sort(),
	);
});
