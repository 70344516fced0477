import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import {
	cardNode,
	type Connection,
	inARow,
	splitOutNode,
	webhookNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { requestOk } from '../../harness/tools/json.ts';
import { type Reporter, seconds } from '../../harness/tools/terminal.ts';
import { countsOf } from '../lib/table.ts';
import { breakEveryFifth, countFrozen, endFaults } from './sandbox.ts';

// Lists that a workflow works off while every fifth request fails.

/** What a workflow is published in, and works with. */
export interface ListContext {
	n8n: N8nClient;
	company: SandboxFixture;
	credential: StoredCredential;
	reporter: Reporter;
}

/** A list takes no longer than this, in milliseconds. */
const withinMs = 1_800_000;

/** The node that does the work. */
const workNode = 'Work';

/**
 * Transfers 0.01, 0.02, 0.03 … USD between the first two accounts, with n8n's Retry On Fail. Gives whether
 * there are as many different transfers as items.
 */
export async function runTransfers(context: ListContext, count: number): Promise<boolean> {
	const { company, credential } = context;
	const [from, to] = company.accounts;
	const parameters = {
		...{ resource: 'account', operation: 'transfer', amount: '={{ $json.amount }}' },
		...{ accountId: String(from?.id), toAccountId: String(to?.id) },
		idempotencyKey: '={{ $json.amount }}',
	};
	const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 };
	const workflow = listWorkflow('Transfers', [cardNode(workNode, parameters, credential, retry)]);
	const items = Array.from({ length: count }, (_, index) => ({
		amount: ((index + 1) / 100).toFixed(2),
	}));
	return workOff(context, workflow, items, async (outputs) => {
		return new Set((outputs as { id: string }[]).map(({ id }) => id)).size;
	});
}

/** Freezes cards; what fails is tried again, by a loop from the error output. Gives whether all are frozen. */
export async function runFreezes(
	context: ListContext,
	cardIds: readonly string[],
): Promise<boolean> {
	const { company, credential } = context;
	const value = "={{ $('Items').item.json.cardId }}";
	const cardId = { __rl: true, mode: 'id', value };
	const parameters = { resource: 'card', operation: 'freeze', cardId };
	const onError = { onError: 'continueErrorOutput' };
	const workflow = listWorkflow(
		'Freezes',
		[cardNode(workNode, parameters, credential, onError)],
		[[workNode, workNode, { output: 1 }]],
	);
	const items = cardIds.map((cardId) => ({ cardId }));
	return workOff(context, workflow, items, () => countFrozen(company, cardIds));
}

function listWorkflow(
	name: string,
	work: ReturnType<typeof cardNode>[],
	loop: Connection[] = [],
): Workflow {
	const nodes = [webhookNode('List'), splitOutNode('Items', 'body.items'), ...work];
	return workflowOf(name, nodes, [...inARow(nodes.map((each) => each.name)), ...loop]);
}

/** Posts items to a workflow and reports what was done; gives whether it was all of them. */
async function workOff(
	{ n8n, company, reporter }: ListContext,
	workflow: Workflow,
	items: object[],
	countDone: (outputs: unknown[]) => Promise<number>,
): Promise<boolean> {
	await n8n.addAndPublish(workflow);
	await breakEveryFifth(company);
	const started = performance.now();
	await requestOk(n8n.webhookUrl(workflow), { method: 'POST', body: { items } });
	const howLong = { withinMs, everyMs: 1_000 };
	const [{ status, nodes }] = await n8n.waitForExecutions(workflow.id, 1, howLong);
	const took = seconds(performance.now() - started);
	const faults = await endFaults(company);
	const done = await countDone(nodes.find(({ name }) => name === workNode)?.items ?? []);
	reporter.line(`${workflow.name}: ${done} of ${items.length} done; execution: ${status}; ${took}`);
	reporter.line(`   requests that failed on purpose, each tried again: ${countsOf(faults)}`);
	return done === items.length && status === 'success';
}
