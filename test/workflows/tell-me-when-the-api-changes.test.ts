import { codeStep, type Json } from './codeStep';

const whatChanged = codeStep('tell-me-when-the-api-changes.json', 'What changed');

/** An answer of Test API. */
const answer = (result: string, changes: Json = {}): Json => ({
	...{ question: 'Does page work?', result, whatToDo: 'Nothing', evidence: 'got 3 records' },
	...{ topic: 'cards', section: '4.3' },
	...changes,
});

/** A row of the data table. */
const row = (Result: string, changes: Json = {}): Json => ({
	...{ Topic: 'cards', Question: 'Does page work?', Result, What_to_do: 'Nothing' },
	...changes,
});

const changed = (answers: Json[], rows: Json[] = [{}]) =>
	whatChanged({ outputs: { 'Test API': answers, 'Last result': rows } });

const paste = 'Paste into Parameter Names: {"page": "p"}';
const ignored = answer('ignored', { whatToDo: paste });
const now = (was: string) =>
	`cards: Does page work? ignored${was}. Evidence: got 3 records. To do: ${paste}.`;

describe('"Tell me when the API changes"', () => {
	it.each<[string, Json, Json, string[]]>([
		['differs in the first run', ignored, {}, [now('')]],
		['is as assumed in the first run: it is only remembered', answer('as assumed'), {}, ['']],
		['is the same', answer('as assumed'), row('as assumed'), []],
		[
			'is the same, by other evidence',
			answer('ignored', { evidence: 'got 4' }),
			row('ignored'),
			[],
		],
		['has changed', ignored, row('as assumed'), [now(', was as assumed')]],
		[
			'has changed back',
			answer('as assumed'),
			row('ignored'),
			['cards: Does page work? as assumed, was ignored. Evidence: got 3 records. To do: Nothing.'],
		],
		['needs something else now', ignored, row('ignored'), [now('')]],
		['of another topic is the same', ignored, row('ignored', { Topic: 'payments' }), [now('')]],
		['has no data any more', answer('no data'), row('as assumed'), []],
		['has no data yet', answer('no data'), {}, []],
		[
			'says not what to do',
			answer('failed', { whatToDo: undefined }),
			{},
			['cards: Does page work? failed. Evidence: got 3 records. To do: Nothing.'],
		],
	])('reports an answer that %s', (_, given, before, texts) => {
		expect(changed([given], [before]).map(({ sentence }) => sentence)).toEqual(texts);
	});

	it('makes one message of all that changed, and remembers also what is only new', () => {
		const kept = { topic: 'cards', question: 'Does page work?' };
		const good = { ...kept, sentence: '', result: 'as assumed', whatToDo: 'Nothing' };
		const items = changed([answer('as assumed'), ignored, { ...ignored, topic: 'payments' }]);
		const bad = { ...kept, sentence: now(''), result: 'ignored', whatToDo: paste };
		const payments = now('').replace('cards', 'payments');
		expect(items).toEqual([
			{ ...good, changes: 2, text: `${now('')}\n\n${payments}` },
			bad,
			{ ...bad, topic: 'payments', sentence: payments },
		]);
		expect(changed([answer('as assumed')])).toEqual([{ ...good, changes: 0, text: '' }]);
	});

	it('fails without answers that it can compare', () => {
		expect(() => changed([])).toThrow('no answers that can be compared');
		expect(() => changed([answer('as assumed'), { error: 'down' }])).toThrow('{"error":"down"}');
	});
});
