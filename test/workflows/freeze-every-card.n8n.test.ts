import type { Browser } from 'playwright-core';

import { outputOf } from '../../harness/n8n/executions.ts';
import { submitIncidentForm, submitUnfreezeForm } from '../../harness/scenario/incidentForm.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { launchBrowser } from '../support/browser';
import { filledIn, importWorkflow, useTestEnvironment } from './environment.ts';
import { type FreezeForms, person, publishFreezeForms } from './freezeForms.ts';
import type { ManyCards } from './manyCards.ts';

/** More than one page of a list holds. */
const more = 105;

const environment = useTestEnvironment();

// Tests "Freeze every card at once": the real form in a real browser, and the start by hand.
describe('"Freeze every card at once"', () => {
	let forms: FreezeForms;
	let cards: ManyCards;
	let browser: Browser;

	beforeAll(async () => {
		forms = await publishFreezeForms(environment(), 'freeze-every-card.json');
		({ cards } = forms);
		for (let number = 0; number < more; number++) {
			await cards.create(`Sales team ${number}`);
		}
		browser = await launchBrowser();
	}, 400_000);

	afterAll(async () => {
		await browser.close();
	});

	const submit = (confirmation: string) =>
		submitIncidentForm(browser, forms.address, person, confirmation);

	const unfreeze = (ids: string, confirmation?: string) =>
		submitUnfreezeForm(browser, forms.wayBack, person, ids, confirmation);

	const executions = async () => environment().n8n.executions(forms.live.id);

	it('keeps people without the password out', async () => {
		const body = new FormData();
		body.set('field-0', 'Let me in');
		body.set('field-1', 'FREEZE');
		for (const url of [forms.address, forms.wayBack]) {
			expect((await fetch(url)).status).toBe(401);
			expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
		}
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
		const [report] = outputOf(execution, 'Write the report').items;
		const result = { result: 'NOT frozen', why: expect.stringContaining('500') };
		expect(report).toMatchObject({
			reason: 'Card numbers leaked',
			active: all + 1,
			frozen: all,
			cards: expect.arrayContaining([expect.objectContaining({ cardId: failing, ...result })]),
		});
	});

	it('unfreezes the cards that it froze, from the page as it is, and no others', async () => {
		await cards.create('Sales <i>abroad</i>');
		const before = await cards.byStatus();
		const { length: all } = before.active;
		expect(before.frozen.length).toBeGreaterThan(100);
		const page = await submit('FREEZE');
		const text = `All cards are frozen\\s+${all} of ${all} active cards were frozen\\.`;
		expect(page).toMatch(new RegExp(text));
		expect((await cards.byStatus()).active).toEqual([]);

		const [, ids = ''] = page.split('“Unfreeze the cards”:');
		const lastId = ids.trim().split(/\s+/).at(-1) ?? '';
		for (const [pasted, word, refused] of [
			[ids, 'unfreeze', 'not the word UNFREEZE'],
			[ids.trim().slice(0, -1), 'UNFREEZE', `“${lastId.slice(0, -1)}” is not the ID of a card`],
			[page, 'UNFREEZE', 'is not the ID of a card'],
		] as const) {
			expect(await unfreeze(pasted, word)).toContain(refused);
			expect((await cards.byStatus()).active).toEqual([]);
		}

		expect(await unfreeze(ids)).toMatch(
			new RegExp(`The cards are unfrozen\\s+${all} of ${all} cards were unfrozen\\.`),
		);
		expect(await cards.byStatus()).toEqual(before);
	});

	it('names the cards that cannot be unfrozen', async () => {
		const archived = await cards.create('Given back');
		await cards.archive(archived);
		const answer = await unfreeze(archived);
		expect(answer).toMatch(/NOT all cards are unfrozen\s+0 of 1 cards were unfrozen/);
		expect(answer).toContain(`NOT unfrozen: ${archived}.`);
	});

	it('says that no active card was found, and not that all are frozen', async () => {
		await submit('FREEZE');
		const page = await submit('FREEZE');
		expect(page).toMatch(/No active card was found\s+Nothing was frozen\./);
		expect(page).not.toContain('All cards are frozen');
	});

	it('does nothing when it is started by hand as it is', async () => {
		await cards.create('New');
		const before = await cards.byStatus();
		const execution = await environment().n8n.run(forms.live.id, 'Start manually');
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Write the report').items).toMatchObject([
			{ reason: 'Started manually', title: 'Nothing was done', frozen: 0 },
		]);
		expect(before.active).toContain('New');
		expect(await cards.byStatus()).toEqual(before);
	});

	it('freezes when it is started by hand with the word typed in', async () => {
		await cards.create('Newer');
		const { length: all } = (await cards.byStatus()).active;
		const fields = { Reason: 'Drill', 'Type FREEZE to confirm': 'FREEZE' };
		const { file, credentials } = forms;
		const typed = filledIn(file, 'Type FREEZE here', fields);
		const changed = await importWorkflow({ ...environment(), credentials }, typed);
		const execution = await environment().n8n.run(changed.id, 'Start manually');
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Write the report').items).toMatchObject([
			{ reason: 'Drill', active: all, frozen: all, title: 'All cards are frozen' },
		]);
		expect((await cards.byStatus()).active).toEqual([]);
	});

	it('calls no card frozen when somebody has deactivated the step that freezes', async () => {
		await cards.create('Drill');
		const fields = { Reason: 'Drill', 'Type FREEZE to confirm': 'FREEZE' };
		const { file, credentials } = forms;
		const nodes = filledIn(file, 'Type FREEZE here', fields).nodes.map((node) =>
			node.name === 'Freeze' ? { ...node, disabled: true } : node,
		);
		const changed = await importWorkflow({ ...environment(), credentials }, { ...file, nodes });
		const execution = await environment().n8n.run(changed.id, 'Start manually');
		expect(outputOf(execution, 'Write the report').items).toMatchObject([
			{ active: 1, frozen: 0, frozenIds: '', title: 'NOT all cards are frozen' },
		]);
	});
});
