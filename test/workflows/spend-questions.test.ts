import { runCode } from './codeStep';

const addUp = (amounts: string[]): unknown =>
	runCode('spend-questions-ai-agent.json', 'Add up amounts', { globals: { query: { amounts } } });

test.each([
	[['0.10', '0.20'], { count: 2, sum: '0.30' }],
	[['9007199254740993.01', '-0.02', '1'], { count: 3, sum: '9007199254740993.99' }],
	[['-0.05', '0.025'], { count: 2, sum: '-0.025' }],
	[[], { count: 0, sum: '0.00' }],
])('the tool of the agent adds up %j exactly', (amounts, sum) => {
	expect(JSON.parse(String(addUp(amounts)))).toEqual(sum);
});

test('the tool adds up nothing where one of the amounts is none', () => {
	expect(addUp(['1.00', '1,50'])).toBe(
		'"1,50" is not an amount such as "12.50". Nothing was added up.',
	);
});
