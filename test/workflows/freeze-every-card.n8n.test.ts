import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { z } from 'zod';

import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import { submitIncidentForm } from '../../harness/scenario/incidentForm.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { launchBrowser } from '../support/browser';
import {
	importWorkflow,
	type LiveWorkflow,
	type TestEnvironment,
	useTestEnvironment,
} from './environment.ts';
import { ManyCards } from './manyCards.ts';

/** More than one page of a list holds. */
const more = 105;

const person = { username: 'incident', password: 'a long password' };
/** The parameters of an Edit Fields node with these texts. */
const typedIn = (fields: Record<string, string>) => ({
	assignments: {
		assignments: Object.entries(fields).map(([name, value]) => ({ name, value, type: 'string' })),
	},
	options: {},
});

const environment = useTestEnvironment();

// Tests "Freeze every card at once": the real form in a real browser, and the start by hand.
describe('"Freeze every card at once"', () => {
	let file: WorkflowFile;
	let live: LiveWorkflow;
	let credentials: TestEnvironment['credentials'];
	let address: string;
	let cards: ManyCards;
	let browser: Browser;

	// Another account than the other tests': its key replaces theirs, and their cards stay as they are.
	beforeAll(async () => {
		const { n8n, company } = environment();
		const { id: accountId } = company.accounts.find(({ id }) => id !== company.account.id) ?? {};
		const apiKey = await company.sandbox.createKey(z.number().parse(accountId));
		cards = new ManyCards(company.api.url, apiKey);
		for (let number = 0; number < more; number++) {
			await cards.create(`Sales team ${number}`);
		}
		const key = { baseUrl: company.api.url, apiKey, keyScope: 'account' };
		const password = { user: person.username, password: person.password };
		credentials = {
			'n8n-nodes-card-platform.cardPlatform': await n8n.addCredential('cardPlatformApi', key),
			'n8n-nodes-base.formTrigger': await n8n.addCredential('httpBasicAuth', password),
		};
		file = await readWorkflow(join(workflowsFolder, 'freeze-every-card.json'));
		live = await importWorkflow({ ...environment(), credentials }, file);
		address = `${n8n.url}/form/${live.webhookId}`;
		browser = await launchBrowser();
	}, 400_000);

	afterAll(async () => {
		await browser.close();
	});

	const submit = (confirmation: string) =>
		submitIncidentForm(browser, address, person, confirmation);

	const executions = async () => environment().n8n.executions(live.id);

	it('keeps people without the password out', async () => {
		expect((await fetch(address)).status).toBe(401);
		const body = new FormData();
		body.set('field-0', 'Let me in');
		body.set('field-1', 'FREEZE');
		expect((await fetch(address, { method: 'POST', body })).status).toBe(401);
		expect(await executions()).toEqual([]);
	});

	it('does nothing without the word', async () => {
		const before = await cards.byStatus();
		expect(before.active.length).toBeGreaterThan(100);
		expect(await submit('freeze')).toContain('No card was changed');
		expect(await cards.byStatus()).toEqual(before);
	});

	it('freezes all active cards but one that cannot be, names that one, and touches no other', async () => {
		const before = await cards.byStatus();
		const failing = await cards.create('Rush <b>orders</b>');
		await cards.archive(await cards.create('Gone'));
		// More failures than the node tries again.
		const path = `/cards/${failing}/freeze`;
		await environment().company.sandbox.setFaults([
			{ kind: 'status', status: 500, method: 'POST', path },
		]);
		const answer = await submit('FREEZE');
		await environment().company.sandbox.setFaults([]);

		const all = before.active.length;
		expect(answer).toContain('NOT all cards are frozen');
		expect(answer).toContain(`${all} of ${all + 1} active cards were frozen.`);
		expect(answer).toMatch(/NOT frozen: Rush <b>orders<\/b> \(…\d{4}\)\. .*Simulated fault: 500/);
		const after = await cards.byStatus();
		expect(after.active).toEqual(['Rush <b>orders</b>']);
		expect(after.frozen.toSorted()).toEqual([...before.active, ...before.frozen].toSorted());
		expect(after.archived.toSorted()).toEqual([...before.archived, 'Gone'].toSorted());

		const execution = await waitUntil(
			async () =>
				(await executions()).find(({ nodes }) => nodes.some(({ name }) => name === 'Freeze')),
			{ what: 'the end of the execution', withinMs: 60_000 },
		);
		const results = outputOf(execution, 'Result of each card').items;
		expect(results).toHaveLength(all + 1);
		expect(results).toContainEqual(
			expect.objectContaining({
				cardId: failing,
				result: 'NOT frozen',
				why: expect.stringContaining('500'),
			}),
		);
	});

	it('says so when all are frozen, and when there is nothing to freeze', async () => {
		await cards.create('Still active');
		const { length: all } = (await cards.byStatus()).active;
		const text = `All cards are frozen\\s+${all} of ${all} active cards were frozen\\.`;
		expect(await submit('FREEZE')).toMatch(new RegExp(text));
		expect((await cards.byStatus()).active).toEqual([]);
		expect(await submit('FREEZE')).toContain('No card was active');
	});

	it('does nothing when it is started by hand as it is', async () => {
		await cards.create('New');
		const before = await cards.byStatus();
		const execution = await environment().n8n.run(live.id, 'Start manually');
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Nothing done').items).toHaveLength(1);
		expect(before.active).toContain('New');
		expect(await cards.byStatus()).toEqual(before);
	});

	it('freezes when it is started by hand with the word typed in', async () => {
		await cards.create('Newer');
		const { length: all } = (await cards.byStatus()).active;
		const fields = { Reason: 'Drill', 'Type FREEZE to confirm': 'FREEZE' };
		const nodes = file.nodes.map((node) =>
			node.name === 'Type FREEZE here' ? { ...node, parameters: typedIn(fields) } : node,
		);
		const changed = await importWorkflow({ ...environment(), credentials }, { ...file, nodes });
		const execution = await environment().n8n.run(changed.id, 'Start manually');
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Report').items).toEqual([
			expect.objectContaining({ reason: 'Drill', active: all, frozen: all, notFrozen: [] }),
		]);
		expect((await cards.byStatus()).active).toEqual([]);
	});
});
