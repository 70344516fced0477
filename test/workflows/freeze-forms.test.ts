import { codeStep, type Json } from './codeStep';

const every = 'freeze-every-card.json';
const employees = 'freeze-an-employees-cards.json';
const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const card = (digit: number, name: string, status = 'active'): Json => ({
	...{ id: id(digit), name, status },
	lastFour: '0042',
});
const frozen = { success: true };
const failure = { error: 'Simulated fault: 500' };

/** What the report shows. */
const reportOf = (items: Json[]) =>
	items.map(({ title, text }) => `${String(title)}\n${String(text)}`);

describe('"Freeze every card at once"', () => {
	/** The report; without results, no card was active, and without cards, none was read. */
	const reportOn = (cards?: Json[], results?: Json[]) =>
		reportOf(
			codeStep(
				every,
				'Write the report',
			)({
				outputs: {
					'Freeze form': [{ Reason: 'Leak' }],
					...(cards && { 'Active cards': cards }),
					...(results && { Freeze: results }),
				},
			}),
		);

	it('says that nothing was done without the word, and that there was no active card', () => {
		expect(reportOn()[0]).toMatch(/^Nothing was done\n.*No card was changed\.$/);
		expect(reportOn([{}])[0]).toMatch(/^No active card was found\nNothing was frozen\./);
	});

	it('names what is not frozen, and gives only the IDs that it froze', () => {
		const cards = [card(1, 'One'), card(2, 'Rush <b>orders</b>'), card(3, 'Three')];
		expect(reportOn(cards, [frozen, failure, frozen])).toEqual([
			[
				'NOT all cards are frozen',
				'2 of 3 active cards were frozen.',
				'NOT frozen: Rush <b>orders</b> (•••• 0042). Simulated fault: 500',
				'',
				'To undo this, copy these IDs into the form “Unfreeze the cards”:',
				id(1),
				id(3),
			].join('\n'),
		]);
		expect(reportOn(cards.slice(0, 1), [frozen])[0]).toMatch(/^All cards are frozen\n1 of 1/);
		// A step that somebody has deactivated passes the cards on.
		expect(reportOn(cards.slice(0, 1), cards)[0]).toMatch(/^NOT all.*\n0 of 1/);
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
	const choose = (chosen: string[]) => {
		const outputs = { 'Find the cards': find('anna') };
		return codeStep(
			employees,
			'Read the choice',
		)({
			outputs,
			input: [{ 'Cards to freeze': chosen }],
		});
	};
	const report = (...results: Json[]) => {
		const outputs = { 'Read the choice': choose(['1.', '2.']).slice(0, results.length) };
		return reportOf(codeStep(employees, 'Write the report')({ outputs, input: results }))[0];
	};

	it('asks for two letters, and says if no active card has the name', () => {
		expect(reportOf(find(' a '))[0]).toContain('at least two letters');
		expect(reportOf(find('<b>Hanna'))[0]).toContain(
			'no active card has a name that contains “<b>hanna”',
		);
		expect(reportOf(find('hanna'))[0]).toContain('Frozen already: 1.');
	});

	it('offers the active cards whose name contains the text', () => {
		const [{ fields } = {}] = find('Anna');
		expect(String(fields)).not.toContain('$');
		const [field] = JSON.parse(String(fields)) as [{ fieldOptions: { values: object[] } }];
		expect(field.fieldOptions.values).toEqual([
			{ option: '1. ANNA  travel (•••• 0042)' },
			{ option: '2. Joanna {{ $json.id }} $& "quoted" (•••• 0042)' },
		]);
	});

	it('freezes what was chosen, and no other card', () => {
		expect(choose(['2. whatever', '9. none'])).toMatchObject([{ id: id(2) }]);
		expect(choose([])).toEqual([]);
	});

	it('names what is not frozen, and has no way back for what others may have frozen', () => {
		const [ours, others] = [true, false].map((changed) => ({ ...frozen, changed }));
		expect(report(ours ?? {}, others ?? {})).toBe(
			[
				'The cards are frozen',
				'2 of 2 cards are frozen.',
				'frozen: ANNA  travel (•••• 0042)',
				'frozen: Joanna {{ $json.id }} $& "quoted" (•••• 0042). somebody else froze it in the meantime',
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
