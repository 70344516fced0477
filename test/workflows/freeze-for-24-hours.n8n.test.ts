import { randomUUID } from 'node:crypto';

import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import {
	activated,
	eventItem,
	importFile,
	useTestEnvironment,
	withParameters,
} from './environment.ts';

const environment = useTestEnvironment();
let workflowId: string;

/** Waits only as long as a test needs to do something in between. */
const waitsShortly = (file: WorkflowFile): WorkflowFile =>
	withParameters(file, 'Wait 24 hours', { amount: 5, unit: 'seconds' });

beforeAll(async () => {
	const change = (file: WorkflowFile) => waitsShortly(activated(file, 'Send email', 'Tell why'));
	const automation = await importFile(environment(), 'freeze-for-24-hours.json', change);
	await environment().company.sandbox.unsubscribe({ id: automation.endpointId });
	({ workflowId } = automation);
});

type Verb = 'freeze' | 'unfreeze' | 'archive';

/** What becomes of a card that is declined abroad, if this is done to it before, and while the workflow waits. */
async function outcomeOf(before: Verb[], inBetween: (cardId: string) => Promise<unknown>) {
	const { n8n, company, mailServer } = environment();
	const { api, account } = company;
	const cardId = await api.createCard(randomUUID(), account.id);
	for (const verb of before) await api.changeCard(cardId, verb);
	mailServer.mails.splice(0);
	const decline = eventItem(cardId, { isSuccess: false, merchantCountry: 'RO' });
	const run = n8n.run(workflowId, 'Declined abroad', [decline]);
	if (before.length === 0) {
		await waitUntil(() => Promise.resolve(mailServer.mails[0]), {
			what: 'the email',
			withinMs: 60_000,
		});
		await inBetween(cardId);
	}
	const { nodes, status } = await run;
	expect(status).toBe('success');
	const ends = ['Unfrozen', 'Left as it is', 'Was frozen before'];
	const names = nodes.map(({ name }) => name);
	return [names.find((name) => ends.includes(name)), (await api.card(cardId)).status];
}

const somebody = (verb: Verb) => (cardId: string) =>
	environment().company.api.changeCard(cardId, verb);

const nothing = async () => await Promise.resolve();

/** Declined abroad once more. */
const again = (cardId: string) => {
	const decline = { decline: { reason: 'card_frozen' } };
	const purchase = { cardId, amount: '9.00', merchantCountry: 'RO', ...decline };
	return environment().company.sandbox.authorize(purchase);
};

test.each<[string, Verb[], (cardId: string) => Promise<unknown>, string, string]>([
	['unfreezes what it froze', [], nothing, 'Unfrozen', 'active'],
	[
		'leaves a card as it is that was frozen before',
		['freeze'],
		nothing,
		'Was frozen before',
		'frozen',
	],
	['touches nothing that was unfrozen', [], somebody('unfreeze'), 'Left as it is', 'active'],
	['touches nothing that was archived', [], somebody('archive'), 'Left as it is', 'archived'],
	['keeps a card frozen that is declined again, and says so', [], again, 'Left as it is', 'frozen'],
])('"Freeze for 24 hours" %s', async (_name, before, inBetween, end, status) => {
	expect(await outcomeOf(before, inBetween)).toEqual([end, status]);
	if (inBetween !== again) return;
	const { text } = environment().mailServer.mails.at(-1) ?? {};
	expect(text).toContain('Declined abroad since it was frozen: 1');
});
