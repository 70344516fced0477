import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import packageJson from '../../package.json' with { type: 'json' };
import { repositoryFolder } from '../harness/tools/paths.ts';

const repository = packageJson.homepage.replace(/#.*$/, '');

/** For npm, whose readers have no repository: relative links and pictures become those of the release's tag. */
function absoluteLinks(markdown: string, folder: string, tag: string): string {
	const absolute = (path: string) => {
		const view = path.endsWith('.png') || path.endsWith('.gif') ? 'raw' : 'blob';
		return `${repository}/${view}/${tag}/${posix.join(folder, path)}`;
	};
	return markdown.replace(
		/(\]\(|src=")(?!https?:|mailto:|#)([^)"\s]+)/g,
		(_, opening: string, path: string) => opening + absolute(path),
	);
}

const [tag = 'main'] = process.argv.slice(2);
for (const file of ['README.md', 'sandbox/README.md']) {
	const path = join(repositoryFolder, file);
	await writeFile(path, absoluteLinks(await readFile(path, 'utf8'), dirname(file), tag));
}
