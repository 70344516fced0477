import { cardEvent } from '../trigger/events';
import { type Json, readSteps, runSteps } from './steps';

const imported = readSteps('freeze-and-ask.json');
/** As a person has it who has Slack. */
const file = {
	...imported,
	nodes: imported.nodes.map((node) => ({ ...node, disabled: false })),
};
const card = { name: 'Travel', lastFour: '0042', status: 'active' };
const failure = { error: 'Forbidden' };
const done = { success: true };

/** Runs the workflow for a large purchase, up to an answer if there is one. */
function run(results: Record<string, Json>) {
	const usual = {
		'Look up the card': card,
		'Freeze the card': done,
		'Unfreeze the card': done,
		'Card afterwards': { status: 'frozen' },
	};
	const lists = Object.entries({ ...usual, ...results }).map(([name, json]) => [name, [json]]);
	const event = { ...cardEvent('a-card', { amount: '1000.00' }) };
	return runSteps(
		file,
		'Large purchase',
		event,
		Object.fromEntries(lists) as Record<string, Json[]>,
	);
}

const answer = (approved: boolean, more: Record<string, Json> = {}) => ({
	'Ask in Slack': { data: { approved } },
	...more,
});
const afterwards = (status: string) => ({ 'Card afterwards': { status } });
const active = afterwards('active');
const archived = afterwards('archived');

describe('"Freeze and ask"', () => {
	it.each<[string, Record<string, Json>, string]>([
		['Unfreeze', answer(true, active), 'Unfroze the card #.'],
		['Keep Frozen', answer(false), 'The card # stays frozen: Keep Frozen was chosen.'],
		['no answer', {}, 'The card # stays frozen: There was no answer.'],
		[
			'Keep Frozen, unfrozen elsewhere',
			answer(false, active),
			'The card # is active: someone unfroze it elsewhere. Keep Frozen was chosen.',
		],
		[
			'Keep Frozen, archived',
			answer(false, archived),
			'The card # has been archived since it was frozen.',
		],
		[
			'Unfreeze, archived',
			answer(true, { ...archived, 'Unfreeze the card': failure }),
			'The card # cannot be unfrozen: it has been archived.',
		],
	])('after %s, says what is true', (_, results, told) => {
		const { steps, texts } = run(results);
		expect(texts('Write the result')).toEqual([told.replace('#', 'Travel (…0042)')]);
		expect(steps).not.toContain('Fail the execution');
	});

	it.each<[string, Record<string, Json>, RegExp]>([
		[
			'the card could not be frozen',
			{ 'Freeze the card': failure },
			/^COULD NOT FREEZE the card Travel .* Freeze it by hand. Reason: Forbidden$/,
		],
		[
			'the card could not be unfrozen',
			answer(true, { 'Unfreeze the card': failure }),
			/^COULD NOT UNFREEZE the card Travel .* Reason: Forbidden$/,
		],
		[
			'the card could not be read',
			answer(false, { 'Card afterwards': failure }),
			/^Keep Frozen was chosen, so the card .* could not be read. Reason: Forbidden$/,
		],
	])('fails if %s', (_, results, told) => {
		const { steps, texts } = run(results);
		expect(texts('Write the result')).toEqual([expect.stringMatching(told)]);
		expect(steps).toContain('Fail the execution');
	});

	it.each(['frozen', 'archived'])('asks nothing about a card that was %s before', (status) => {
		const results = { 'Look up the card': { ...card, status } };
		const { steps } = run(
			status === 'archived' ? { ...results, 'Freeze the card': failure } : results,
		);
		expect(steps.at(-1)).toBe('Nothing to do?');
	});
});
