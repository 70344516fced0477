import { codeStep, type Json } from './codeStep';

// What freeze-forms.n8n.test.ts does not show.

const every = 'freeze-every-card.json';
const employees = 'freeze-an-employees-cards.json';
const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const card = (digit: number, name: string, status = 'active'): Json => ({
	...{ id: id(digit), name, status },
	lastFour: '0042',
});
const one = card(1, 'One');
const frozen = { success: true };
const failure = { error: 'Simulated fault: 500' };

/** What the report shows. */
const reportOf = (items: Json[]) =>
	items.map(({ title, text }) => `${String(title)}\n${String(text)}`);

describe('"Freeze every card"', () => {
	it.each<[string, RegExp, { cards?: Json[]; results?: Json[] }]>([
		['without the word', /^Nothing was done\n.*No card was changed\.$/, {}],
		['without an active card', /^No active card was found\nNothing was frozen\./, { cards: [{}] }],
		['of one card', /^All cards are frozen\n1 of 1/, { cards: [one], results: [frozen] }],
		// A step that somebody has deactivated passes the cards on.
		['without a freeze', /^NOT all.*\n0 of 1/, { cards: [one], results: [one] }],
	])('reports %s', (_, report, { cards, results }) => {
		const outputs = {
			'Freeze form': [{ Reason: 'Leak' }],
			...(cards && { 'Active cards': cards }),
			...(results && { Freeze: results }),
		};
		expect(reportOf(codeStep(every, 'Write the report')({ outputs }))[0]).toMatch(report);
	});
});

describe.each([every, employees])('the way back of workflows/%s', (file) => {
	const read = (ids: string, word = 'UNFREEZE') => {
		const input = [{ 'IDs of the cards': ids, 'Type UNFREEZE to confirm': word }];
		return codeStep(file, 'Read the IDs')({ input });
	};

	it.each([
		[id(1), 'unfreeze', 'not the word UNFREEZE'],
		[id(1).slice(0, -1), 'UNFREEZE', `“${id(1).slice(0, -1)}” is not the ID of a card`],
		['All cards are frozen', 'UNFREEZE', '“all” is not the ID of a card'],
		[' ', 'UNFREEZE', 'There was no ID'],
	])('refuses "%s" with the word %s', (ids, word, why) => {
		expect(reportOf(read(ids, word))).toEqual([expect.stringContaining(why)]);
	});

	it('unfreezes each ID once, and names what cannot be unfrozen', () => {
		const ids = read(`${id(1)}\n${id(2)},  ${id(1).toUpperCase()}`);
		expect(ids).toEqual([{ id: id(1) }, { id: id(2) }]);
		const outputs = { 'Read the IDs': ids };
		const input = [frozen, failure];
		expect(reportOf(codeStep(file, 'Write the result')({ outputs, input }))).toEqual([
			`NOT all cards are unfrozen\n1 of 2 cards were unfrozen.\nNOT unfrozen: ${id(2)}. Simulated fault: 500`,
		]);
	});
});

describe('"Freeze an employee’s cards"', () => {
	const cards = [
		card(1, 'ANNA  travel'),
		card(2, `Joanna {{ $json.id }} $& "quoted"`),
		card(3, 'Hanna', 'frozen'),
		card(4, 'Bernd'),
	];
	const find = (name: string) => {
		const outputs = { 'Employee form': [{ 'Name of the employee': name }] };
		return codeStep(employees, 'Find the cards')({ outputs, input: cards });
	};
	const report = (...results: Json[]) => {
		const outputs = { 'Read the choice': cards.slice(0, results.length) };
		return reportOf(codeStep(employees, 'Write the report')({ outputs, input: results }))[0];
	};

	it('asks for two letters, and says if no active card has the name', () => {
		expect(reportOf(find(' a '))[0]).toContain('at least two letters');
		expect(reportOf(find('<b>Hanna'))[0]).toContain(
			'no active card has a name that contains “<b>hanna”',
		);
		expect(reportOf(find('hanna'))[0]).toContain('Already frozen: 1.');
	});

	it('names what is not frozen, and has no way back for what others may have frozen', () => {
		const [ours, others] = [true, false].map((changed) => ({ ...frozen, changed }));
		expect(report(ours ?? {}, others ?? {})).toBe(
			[
				'The cards are frozen',
				'2 of 2 cards are frozen.',
				'frozen: ANNA  travel (•••• 0042)',
				'frozen: Joanna {{ $json.id }} $& "quoted" (•••• 0042). someone else froze it in the meantime',
				'',
				'To undo this, copy these IDs into the form “Unfreeze the cards”:',
				id(1),
			].join('\n'),
		);
		// The card could not be read before.
		const unread = report(frozen);
		expect(unread).toContain('it is not known whether it was frozen before');
		expect(unread).not.toContain('To undo this');
		expect(report(failure)).toMatch(
			/^NOT all.*\n0 of 1.*\nNOT frozen: ANNA  travel .*Simulated fault: 500$/,
		);
	});
});
