import { readFileSync } from 'node:fs';

/**
 * Takes the shell commands out of a document: every line of its blocks marked `sh`, without
 * comments; a line that ends in a backslash goes on in the next.
 *
 * @param file path of a Markdown file
 */
export function commandsIn(file: string): string[] {
	const blocks = readFileSync(file, 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm);
	return [...blocks]
		.flatMap(([, , block = '']) => block.replace(/\\\n\s*/g, '').split('\n'))
		.map((line) => line.replace(/\s+# .*$/, '').trim())
		.filter((line) => line !== '');
}
