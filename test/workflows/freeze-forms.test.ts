import { type Json, readSteps, runSteps } from './steps';

const every = readSteps('freeze-every-card.json');
const employees = readSteps('freeze-an-employees-cards.json');
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
	const freeze = (word: string, cards: Json[], results: Json[] = []) =>
		reportOf(
			runSteps(
				every,
				'Freeze form',
				{ Reason: 'Leak', 'Type FREEZE to confirm': word },
				{ 'Active cards': cards.length === 0 ? [{}] : cards, Freeze: results },
			).items('Write the report'),
		);

	it('does nothing without the word, and says so if there is no active card', () => {
		expect(freeze('freeze', [card(1, 'A')])[0]).toMatch(
			/^Nothing was done\n.*No card was changed\.$/,
		);
		expect(freeze('FREEZE', [])[0]).toMatch(/^No active card was found\nNothing was frozen\./);
	});

	it('names what is not frozen, and gives only the IDs that it froze', () => {
		const cards = [card(1, 'One'), card(2, 'Rush <b>orders</b>'), card(3, 'Three')];
		expect(freeze('FREEZE', cards, [frozen, failure, frozen])).toEqual([
			[
				'NOT all cards are frozen',
				'2 of 3 active cards were frozen.',
				'NOT frozen: Rush <b>orders</b> (…0042). Simulated fault: 500',
				'',
				'To undo this, copy these IDs into the form “Unfreeze the cards”:',
				id(1),
				id(3),
			].join('\n'),
		]);
		expect(freeze('FREEZE', cards.slice(0, 1), [frozen])[0]).toMatch(
			/^All cards are frozen\n1 of 1/,
		);
		// A step that somebody has deactivated passes the cards on.
		expect(freeze('FREEZE', cards.slice(0, 1), cards.slice(0, 1))[0]).toMatch(/^NOT all.*\n0 of 1/);
	});
});

describe.each([
	['freeze-every-card.json', every],
	['freeze-an-employees-cards.json', employees],
])('the way back of workflows/%s', (_, file) => {
	const unfreeze = (ids: string, word = 'UNFREEZE', results: Json[] = []) =>
		runSteps(
			file,
			'Unfreeze form',
			{ 'IDs of the cards': ids, 'Type UNFREEZE to confirm': word },
			{ Unfreeze: results },
		);

	it.each([
		[id(1), 'unfreeze', 'not the word UNFREEZE'],
		[id(1).slice(0, -1), 'UNFREEZE', `“${id(1).slice(0, -1)}” is not the ID of a card`],
		['All cards are frozen', 'UNFREEZE', '“all” is not the ID of a card'],
		[' ', 'UNFREEZE', 'There was no ID'],
	])('refuses "%s" with the word %s', (ids, word, why) => {
		const { steps, items } = unfreeze(ids, word);
		expect(steps).not.toContain('Unfreeze');
		expect(reportOf(items('Read the IDs'))).toEqual([expect.stringContaining(why)]);
	});

	it('unfreezes each ID once, and names what cannot be unfrozen', () => {
		const pasted = `${id(1)}\n${id(2)},  ${id(1).toUpperCase()}`;
		const { items } = unfreeze(pasted, 'UNFREEZE', [frozen, failure]);
		expect(items('Read the IDs')).toEqual([{ id: id(1) }, { id: id(2) }]);
		expect(reportOf(items('Write the result'))).toEqual([
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
	const run = (name: string, chosen: string[], results: Record<string, Json[]> = {}) =>
		runSteps(
			employees,
			'Employee form',
			{ 'Name of the employee': name },
			{
				'All cards': cards,
				'Choose the cards': [{ 'Cards to freeze': chosen }],
				Freeze: chosen.map(() => frozen),
				...results,
			},
		);
	const report = (chosen: string[], results: Record<string, Json[]> = {}) =>
		reportOf(run('anna', chosen, results).items('Write the report'))[0];

	it('asks for two letters, and says if no active card has the name', () => {
		expect(reportOf(run(' a ', []).items('Find the cards'))[0]).toContain('at least two letters');
		const [text] = reportOf(run('<b>Hanna', []).items('Find the cards'));
		expect(text).toContain('no active card has a name that contains “<b>hanna”');
		expect(reportOf(run('hanna', []).items('Find the cards'))[0]).toContain('Frozen already: 1.');
	});

	it('offers the active cards whose name contains the text', () => {
		const [{ fields } = {}] = run('Anna', []).items('Find the cards');
		expect(String(fields)).not.toContain('$');
		const [field] = JSON.parse(String(fields)) as [{ fieldOptions: { values: object[] } }];
		expect(field.fieldOptions.values).toEqual([
			{ option: '1. ANNA  travel (…0042)' },
			{ option: '2. Joanna {{ $json.id }} $& "quoted" (…0042)' },
		]);
	});

	it('freezes what was chosen, and no other card', () => {
		expect(run('anna', ['2. whatever', '9. none']).items('Chosen cards')).toMatchObject([
			{ id: id(2) },
		]);
		expect(run('anna', []).steps).not.toContain('Freeze');
	});

	it('names what is not frozen, and has no way back for what others may have frozen', () => {
		const read = (...results: Json[]) => ({ 'Read them again': results });
		const [active, others] = [{ status: 'active' }, { status: 'frozen' }];
		expect(report(['1.', '2.'], read(active, others))).toBe(
			[
				'The cards are frozen',
				'2 of 2 cards are frozen.',
				'frozen: ANNA  travel (…0042)',
				'frozen: Joanna {{ $json.id }} $& "quoted" (…0042). somebody else froze it in the meantime',
				'',
				'To undo this, copy these IDs into the form “Unfreeze the cards”:',
				id(1),
			].join('\n'),
		);
		const unread = report(['1.'], read(failure));
		expect(unread).toContain('it is not known whether it was frozen before');
		expect(unread).not.toContain('To undo this');
		const unfrozen = report(['1.'], { ...read(active), Freeze: [failure] });
		expect(unfrozen).toMatch(
			/^NOT all.*\n0 of 1.*\nNOT frozen: ANNA  travel .*Simulated fault: 500$/,
		);
	});
});
