import { globSync, readFileSync } from 'node:fs';

const sections = new Map(
	readFileSync('docs/api.md', 'utf8')
		.split(/^## (?=\d)/m)
		.slice(1)
		.map((section) => [Number.parseInt(section, 10), section]),
);

/** Finds the rules that a text cites, such as §4.8, §6 Signature 3 or §8 "Count budget". Except §3.2.2, which belongs to an RFC. */
const citedIn = (text: string) => [
	...text.matchAll(
		/§(?<section>\d+)(?:\.(?<rule>\d+))?(?!\.?\d)(?: (?<name>[A-Z][\w-]+|"[^"\n]+")(?: (?<item>\d)\b)?)?/g,
	),
];

function isRule({ groups = {} }: RegExpExecArray) {
	const text = sections.get(Number(groups.section));
	const { rule, name, item } = groups;
	if (text === undefined) return false;
	if (rule !== undefined) return text.includes(`\n- **${groups.section}.${rule}** `);
	if (name !== undefined && !text.includes(name.replaceAll('"', ''))) return false;
	return item === undefined || text.split(`### ${name}`)[1]?.includes(`\n${item}. `) === true;
}

const files = globSync('{nodes,credentials,sandbox,dev,docs}/**/*.{ts,md,yaml}', {
	exclude: ['**/node_modules/**'],
});

test('each rule of the API that is cited stands in docs/api.md', () => {
	const citations = files.flatMap((file) =>
		citedIn(readFileSync(file, 'utf8')).map((citation) => ({ file, citation })),
	);
	expect(citations.length).toBeGreaterThan(100);
	const missing = citations.filter(({ citation }) => !isRule(citation));
	expect(missing.map(({ file, citation }) => `${file}: ${citation[0]}`)).toEqual([]);
});
