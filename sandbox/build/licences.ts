import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

const packageSchema = z.object({ name: z.string(), version: z.string() });

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Gives the licences of the packages that files come from, which a copy of a file must carry.
 *
 * @param paths absolute ones; those outside node_modules are ours
 * @throws where a package has no licence file
 */
export function licencesOf(paths: readonly string[]): string {
	const files = paths.map((path) => path.replaceAll('\\', '/'));
	const folders = new Set(files.flatMap((file) => PACKAGE_FOLDER.exec(file) ?? []));
	const packages = [...folders].sort().map((folder) => {
		const file = readFileSync(join(folder, 'package.json'), 'utf8');
		const { name, version } = packageSchema.parse(JSON.parse(file));
		const [licence] = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each));
		if (licence === undefined) throw new Error(`${name} has no licence file`);
		return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
	});
	// What a file bundles itself is listed next to it.
	const bundled = files
		.map((file) => `${file}.LICENSE.txt`)
		.filter((list) => existsSync(list))
		.map((list) => readFileSync(list, 'utf8'));
	return [...packages, ...bundled].join(`\n${'-'.repeat(80)}\n\n`);
}
