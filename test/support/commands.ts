import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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

/**
 * Runs a command of a document in a shell, and gives its standard output. Where the machine has no curl,
 * the one in `bin/` does what the documents use of it.
 */
export function runCommand(command: string): string {
	const PATH = [process.env.PATH, join(__dirname, 'bin')].join(delimiter);
	const env = { ...process.env, PATH };
	return execFileSync('sh', ['-c', command], { encoding: 'utf8', env });
}
