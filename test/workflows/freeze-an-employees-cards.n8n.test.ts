import type { Browser } from 'playwright-core';
import { z } from 'zod';

import { outputOf } from '../../harness/n8n/executions.ts';
import { submitForm } from '../../harness/scenario/form.ts';
import { submitUnfreezeForm } from '../../harness/scenario/incidentForm.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { launchBrowser } from '../support/browser';
import { useTestEnvironment } from './environment.ts';
import { type FreezeForms, person, publishFreezeForms } from './freezeForms.ts';
import type { ManyCards } from './manyCards.ts';

/** Names that break what is not escaped: HTML, n8n's expressions, and the patterns of a replacement. */
const names = [
	'ANNA travel',
	'Hanna <img src=x onerror=alert(1)>',
	`Joanna {{ $json.id }} $& $' "quoted"`,
] as const;

const environment = useTestEnvironment();

// Tests "Freeze an employee's cards": the real forms in a real browser.
describe('"Freeze an employee’s cards"', () => {
	let forms: FreezeForms;
	let cards: ManyCards;
	let browser: Browser;

	beforeAll(async () => {
		forms = await publishFreezeForms(environment(), 'freeze-an-employees-cards.json');
		({ cards } = forms);
		for (const name of [...names, 'Bernd']) await cards.create(name);
		browser = await launchBrowser();
	}, 400_000);

	afterAll(async () => {
		await browser.close();
	});

	/** Enters a name, and ticks the cards with these labels if there is a page to choose them. */
	const freeze = (name: string, ticks?: readonly RegExp[]) => {
		const first = { fields: { 'Name of the employee': name }, button: 'Find the cards' };
		const second = ticks && { ticks, button: 'Freeze these cards' };
		return submitForm(browser, forms.address, person, second ? [first, second] : [first]);
	};

	it('keeps people without the password out', async () => {
		const body = new FormData();
		body.set('field-0', 'Anna');
		for (const url of [forms.address, forms.wayBack]) {
			expect((await fetch(url)).status).toBe(401);
			expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
		}
		expect(await environment().n8n.executions(forms.live.id)).toEqual([]);
	});

	it('does nothing for less than two letters, and says if there is no such card', async () => {
		const before = await cards.byStatus();
		expect(await freeze(' a ')).toContain('Enter at least two letters of the name');
		const page = await freeze('<b>Nobody');
		expect(page).toContain('No active card was found');
		expect(page).toContain('no active card has a name that contains “<b>nobody”');
		expect(await cards.byStatus()).toEqual(before);
	});

	it('freezes the cards that are ticked, and no others, and unfreezes them again', async () => {
		const before = await cards.byStatus();
		const page = await freeze('anna', [/^1\. /, /^3\. /]);
		const after = await cards.byStatus();
		const frozen = before.active.filter((name) => !after.active.includes(name));
		expect(frozen).toHaveLength(2);
		expect(page).toMatch(/The cards are frozen\s+2 of 2 cards are frozen\./);
		for (const name of frozen) {
			expect(names).toContain(name);
			expect(page).toContain(`frozen: ${name} (…`);
		}

		const [, ids = ''] = page.split('“Unfreeze the cards”:');
		expect(await submitUnfreezeForm(browser, forms.wayBack, person, ids)).toContain(
			'2 of 2 cards were unfrozen.',
		);
		expect(await cards.byStatus()).toEqual(before);
	});

	it('shows every active card whose name contains the text, and leaves frozen ones out', async () => {
		for (const name of names) await freeze(name, [/^1\. /]);
		const { frozen } = await cards.byStatus();
		expect(frozen).toEqual(expect.arrayContaining([...names]));
		expect(await freeze('Anna')).toContain('Frozen already: 3.');
	});

	it('names a card that could not be frozen', async () => {
		const failing = await cards.create('Carla');
		const path = `/cards/${failing}/freeze`;
		const { sandbox } = environment().company;
		await sandbox.setFaults([{ kind: 'status', status: 500, method: 'POST', path }]);
		const page = await freeze('carla', [/^1\. /]);
		await sandbox.setFaults([]);
		expect(page).toMatch(/NOT all cards are frozen\s+0 of 1 cards are frozen\./);
		expect(page).toMatch(/NOT frozen: Carla \(…\d{4}\)\. .*Simulated fault: 500/);
		expect(page).not.toContain('To undo this');
	});

	it('offers no way back for a card of which it is not known whether somebody else froze it', async () => {
		const unread = await cards.create('Dora');
		const { sandbox } = environment().company;
		const path = `/cards/${unread}`;
		await sandbox.setFaults([{ kind: 'status', status: 500, method: 'GET', path }]);
		const page = await freeze('dora', [/^1\. /]);
		await sandbox.setFaults([]);
		expect(page).toMatch(/frozen: Dora \(…\d{4}\)\. it is not known whether it was frozen before/);
		expect(page).not.toContain('To undo this');
		expect((await cards.byStatus()).frozen).toContain('Dora');
	});

	it('freezes nothing if the page is submitted without a choice', async () => {
		const before = await cards.byStatus();
		const token = Buffer.from(`${person.username}:${person.password}`).toString('base64');
		const headers = { authorization: `Basic ${token}` };
		const body = new FormData();
		body.set('field-0', 'Bernd');
		const response = await fetch(forms.address, { method: 'POST', headers, body });
		const { formWaitingUrl } = z
			.object({ formWaitingUrl: z.string() })
			.parse(await response.json());
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		await waitUntil(async () => (await (await fetch(status)).text()).trim() === 'form-waiting', {
			what: 'the second page',
			withinMs: 60_000,
		});
		// A browser refuses to submit this. There is no last page, so n8n need not respond.
		const stop = new AbortController();
		const empty = new FormData();
		empty.set('field-0', '[]');
		const request = { method: 'POST', body: empty, signal: stop.signal };
		const submission = fetch(formWaitingUrl, request).catch(() => undefined);
		const execution = await waitUntil(
			async () => {
				const all = await environment().n8n.executions(forms.live.id);
				return all.find(({ nodes }) => nodes.at(-1)?.name === 'Read the choice');
			},
			{ what: 'the end of the execution', withinMs: 60_000 },
		);
		stop.abort();
		await submission;
		expect(outputOf(execution, 'Find the cards').items).toMatchObject([{ found: 1 }]);
		expect(outputOf(execution, 'Read the choice').items).toEqual([]);
		expect(await cards.byStatus()).toEqual(before);
	});
});
