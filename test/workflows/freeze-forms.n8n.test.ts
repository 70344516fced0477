import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { startBrowser } from '../../dev/harness/editor/browser.ts';
import { readWorkflow } from '../../dev/harness/n8n/workflow.ts';
import { type Card, PublicApiClient } from '../../dev/harness/publicApi.ts';
import { type FormPage, type FormUser, submitForm } from '../../dev/harness/scenario/form.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { importWorkflow, useTestEnvironment } from './environment.ts';

/** Names that break what is not escaped: HTML, n8n's expressions, and the patterns of a replacement. */
const names = [
	'ANNA travel',
	'Hanna <img src=x onerror=alert(1)>',
	`Joanna {{ $json.id }} $& $' "quoted"`,
] as const;

const environment = useTestEnvironment();
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(() => browser.close());

/** Who may use the forms. */
const person: FormUser = { username: 'incident', password: 'a long password' };

/**
 * Publishes a workflow file with another account than the other tests': its key replaces theirs, and their
 * cards stay as they are.
 */
async function publishFreezeForms(fileName: string) {
	const { n8n, company } = environment();
	const { id: accountId = 0 } = company.accounts.find(({ id }) => id !== company.account.id) ?? {};
	const apiKey = await company.sandbox.createKey(accountId);
	const api = new PublicApiClient(company.api.url, apiKey);
	const key = { baseUrl: company.api.url, apiKey, keyScope: 'account' };
	const password = { user: person.username, password: person.password };
	const credentials = {
		'n8n-nodes-card-platform.cardPlatform': await n8n.addCredential('cardPlatformApi', key),
		'n8n-nodes-base.formTrigger': await n8n.addCredential('httpBasicAuth', password),
	};
	const unfreezeId = randomUUID();
	const file = await readWorkflow(join(workflowsFolder, fileName));
	const nodes = file.nodes.map((node) =>
		node.name === 'Unfreeze form' ? { ...node, webhookId: unfreezeId } : node,
	);
	const live = await importWorkflow({ ...environment(), credentials }, { ...file, nodes });
	return {
		live,
		/** The URL of the form that freezes. */
		address: `${n8n.url}/form/${live.webhookId}`,
		/** The URL of the form that unfreezes. */
		wayBack: `${n8n.url}/form/${unfreezeId}`,
		create: (name: string) => api.createCard(name, accountId),
		/** The names of the cards by their status, in alphabetical order. */
		byStatus: async () => {
			// There are never more than two pages.
			const all = [...(await api.cards(1)), ...(await api.cards(2))];
			const names = (status: Card['status']) =>
				all.flatMap((card) => (card.status === status ? [card.name] : [])).sort();
			return { active: names('active'), frozen: names('frozen'), archived: names('archived') };
		},
	};
}

type FreezeForms = Awaited<ReturnType<typeof publishFreezeForms>>;

const submit = (url: string, ...pages: FormPage[]) => submitForm(browser, url, person, pages);

/** Pastes the IDs of a report into the form that unfreezes. */
const undo = ({ wayBack }: FreezeForms, report: string) => {
	const [, ids = ''] = report.split('“Unfreeze the cards”:');
	const fields = { 'IDs of the cards': ids, 'Type UNFREEZE to confirm': 'UNFREEZE' };
	return submit(wayBack, { fields, button: 'Unfreeze these cards' });
};

async function keepsOthersOut({ address, wayBack, live }: FreezeForms): Promise<void> {
	const body = new FormData();
	body.set('field-0', 'FREEZE');
	for (const url of [address, wayBack]) {
		expect((await fetch(url)).status).toBe(401);
		expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
	}
	expect(await environment().n8n.executions(live.id)).toEqual([]);
}

// freeze-forms.test.ts has the other reports.
test('"Freeze every card" freezes all active cards but one that cannot be, and unfreezes them again', async () => {
	const forms = await publishFreezeForms('freeze-every-card.json');
	const { sandbox } = environment().company;
	const { address, create, byStatus } = forms;
	await keepsOthersOut(forms);
	// More than one page of a list holds.
	for (let number = 0; number < 105; number++) await create(`Sales team ${number}`);
	const failing = await create('Rush <b>orders</b>');
	const before = await byStatus();

	const fields = { Reason: 'Card numbers leaked', 'Type FREEZE to confirm': 'FREEZE' };
	const path = `/cards/${failing}/freeze`;
	await sandbox.setFaults([{ kind: 'status', status: 500, method: 'POST', path }]);
	const page = await submit(address, { fields, button: 'Freeze all cards' });
	await sandbox.setFaults([]);
	const all = before.active.length;
	expect(page).toContain('NOT all cards are frozen');
	expect(page).toContain(`${all - 1} of ${all} active cards were frozen.`);
	expect(page).toMatch(/NOT frozen: Rush <b>orders<\/b> \(•••• \d{4}\)\. .*Simulated fault: 500/);
	const after = await byStatus();
	expect(after.active).toEqual(['Rush <b>orders</b>']);
	expect(after.archived).toEqual(before.archived);

	expect(await undo(forms, page)).toContain(`${all - 1} of ${all - 1} cards were unfrozen.`);
	expect(await byStatus()).toEqual(before);
});

test('"Freeze an employee’s cards" freezes the cards that are ticked, no others, and unfreezes them again', async () => {
	const forms = await publishFreezeForms('freeze-an-employees-cards.json');
	const { address, create, byStatus } = forms;
	await keepsOthersOut(forms);
	for (const name of [...names, 'Bernd']) await create(name);
	const before = await byStatus();
	const first = { fields: { 'Name of the employee': 'anna' }, button: 'Find the cards' };
	const ticks = [/^1\. /, /^3\. /];
	const page = await submit(address, first, { ticks, button: 'Freeze these cards' });
	const after = await byStatus();
	const frozen = before.active.filter((name) => !after.active.includes(name));
	expect(frozen).toHaveLength(2);
	expect(names).toEqual(expect.arrayContaining(frozen));
	expect(page).toMatch(/The cards are frozen\s+2 of 2 cards are frozen\./);
	for (const name of frozen) expect(page).toContain(`frozen: ${name} (•••• `);

	expect(await undo(forms, page)).toContain('2 of 2 cards were unfrozen.');
	expect(await byStatus()).toEqual(before);
});
