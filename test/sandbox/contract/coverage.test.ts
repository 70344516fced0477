import { z } from 'zod';

import { runNode } from '../../../harness/core/runNode.ts';
import { eventually } from '../../../harness/tools/waiting.ts';
import { recordContract } from '../../support/contract';
import { operations, webhooks } from '../../support/contractOperations';
import { startSandbox, type TestSandbox } from '../../support/sandbox';
import { skipTime } from '../../support/sleep';
import { startTrigger } from '../../support/trigger';
import { CASES, type OperationCase, type RawRequest } from './cases';
import { formatTable } from './table';

// Only the waiting between retries is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async (ms: number) => await skipTime(ms)),
}));

const pairs = operations.flatMap(({ method, path, answers }) =>
	[...answers.keys()].map((status) => ({ operation: `${method} ${path}`, status: Number(status) })),
);
const nameOf = ({ operation, status }: (typeof pairs)[number]) => `${operation} ${status}`;

/** What an exchange put on the wire, and what the node's error said of its status. */
interface Outcome {
	answered?: number | undefined;
	problems: readonly string[];
	counts: ReadonlyMap<string, number>;
}

const outcomes = new Map<string, Promise<Outcome>>();

/** The outcome of an exchange that takes place once, for the first test that asks for it. */
async function outcomeOf(name: string, exchange: () => Promise<Outcome>): Promise<Outcome> {
	const outcome = outcomes.get(name) ?? exchange();
	outcomes.set(name, outcome);
	return await outcome;
}

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

async function exchange({ operation, status }: (typeof pairs)[number]): Promise<Outcome> {
	const found = CASES[operation];
	if (found === undefined) throw new Error('there is no case for this operation');
	const raw = { 400: found.refusedRaw, 413: tooLarge(operation) }[status];

	const recorder = recordContract(raw ? 'any' : 'checked');
	const sandbox = await startSandbox(recorder.hooks);
	try {
		await PREPARE[status]?.(sandbox);
		const answered = raw ? await sendRaw(sandbox, raw) : await runCase(sandbox, found, status);
		return { answered, problems: recorder.problems, counts: recorder.counts };
	} finally {
		// Left open after a failure, it would keep jest from ending.
		await sandbox.close();
	}
}

const outcomeOfPair = async (pair: (typeof pairs)[number]) =>
	await outcomeOf(nameOf(pair), async () => await exchange(pair));

test.each(pairs)('$operation → $status', async (pair) => {
	const { answered, problems, counts } = await outcomeOfPair(pair);
	expect(answered).toBe(pair.status < 300 ? undefined : pair.status);
	expect(problems).toEqual([]);
	expect([...counts.keys()]).toEqual([nameOf(pair)]);
});

async function deliver(): Promise<Outcome> {
	const recorder = recordContract('checked');
	const sandbox = await startSandbox(recorder.hooks);
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
	return { problems: recorder.problems, counts: recorder.counts };
}

const outcomeOfWebhook = async ({ path }: (typeof webhooks)[number]) =>
	await outcomeOf(`webhook ${path}`, deliver);

test.each(webhooks)('webhook $path, to the trigger', async (webhook) => {
	const { problems, counts } = await outcomeOfWebhook(webhook);
	expect(problems).toEqual([]);
	expect(counts).toEqual(new Map([[`webhook ${webhook.path}`, 1]]));
});

test('every operation was answered with every status', async () => {
	const exercised = new Map<string, number>();
	for (const pair of pairs) {
		for (const [name, count] of (await outcomeOfPair(pair)).counts) exercised.set(name, count);
	}
	for (const webhook of webhooks) {
		for (const [name, count] of (await outcomeOfWebhook(webhook)).counts)
			exercised.set(name, count);
	}
	process.stdout.write(`\n${formatTable(pairs, exercised)}\n`);
	const documented = [...pairs.map(nameOf), ...webhooks.map(({ path }) => `webhook ${path}`)];
	expect([...exercised.keys()].sort()).toEqual(documented.sort());
	expect(Object.keys(CASES).sort()).toEqual(
		operations.map(({ method, path }) => `${method} ${path}`).sort(),
	);
});
