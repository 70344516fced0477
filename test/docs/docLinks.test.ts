import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');

const inFolder = (folder: string) =>
	readdirSync(join(root, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file));

const documents = [...inFolder('.'), ...inFolder('docs')];

const withoutCode = (markdown: string) =>
	markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The addresses that a document links to or shows as images, but those of other hosts. */
const localTargets = (markdown: string) =>
	[...withoutCode(markdown).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)]
		.map(([, target = '']) => target)
		.filter((target) => !/^[a-z]+:/i.test(target));

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(markdown: string): string[] {
	const seen = new Map<string, number>();
	const headings = markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*$/gm);
	return [...headings].map(([, heading = '']) => {
		const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
		const anchor = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
		const count = seen.get(anchor) ?? 0;
		seen.set(anchor, count + 1);
		return count === 0 ? anchor : `${anchor}-${count}`;
	});
}

/** What is wrong with a target; undefined where it leads somewhere. */
function problemOf(document: string, target: string): string | undefined {
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? join(root, document) : join(root, dirname(document), path);
	if (!existsSync(file)) return `${target}: there is no ${relative(root, file)}`;
	if (anchor === undefined || !file.endsWith('.md')) return undefined;
	const known = anchors(readFileSync(file, 'utf8'));
	return known.includes(anchor) ? undefined : `${target}: no heading has this anchor`;
}

test.each(documents)('every link and image of %s leads somewhere', (document) => {
	const targets = localTargets(readFileSync(join(root, document), 'utf8'));
	expect(targets.map((target) => problemOf(document, target)).filter(Boolean)).toEqual([]);
});

test.each([
	['a missing file', '[a](docs/none.md)', ['docs/none.md: there is no docs/none.md']],
	['a missing image', '![a](docs/images/none.png)', [expect.stringContaining('there is no')]],
	['a missing anchor', '[a](#no-such-heading)', ['#no-such-heading: no heading has this anchor']],
	['a link in code', '`[a](none.md)`', []],
	['another host', '[a](https://example.com/none.md)', []],
])('%s is judged rightly', (_, markdown, expected) => {
	const problems = localTargets(markdown).map((target) => problemOf('README.md', target));
	expect(problems.filter(Boolean)).toEqual(expected);
});
