import { copyFileSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as esbuild from 'esbuild';

import { PACKAGE_FILES } from '../dashboard/assets.ts';

/**
 * Compiles the sandbox into one folder, with the libraries it runs on and every file it reads or
 * serves, at its place in the source.
 *
 * @param source the sandbox's folder
 * @param target the folder to write to
 * @param entries modules below `source`
 * @returns the files of npm packages that are now in `target`, as absolute paths with slashes
 */
export async function bundle(source: string, target: string, entries: string[]): Promise<string[]> {
	const { metafile } = await esbuild.build({
		entryPoints: entries,
		absWorkingDir: source,
		// Comments name the bundled files: in the same way on every machine.
		preserveSymlinks: true,
		outdir: target,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22',
		legalComments: 'inline',
		metafile: true,
		logLevel: 'warning',
		// yaml is CommonJS, and requires modules of Node.
		banner: {
			js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
		},
	});
	for (const file of globSync('**/*.{css,js,svg,yaml}', { cwd: source, exclude: isExcluded })) {
		copy(join(source, file), join(target, file));
	}
	const packageFiles = Object.entries(PACKAGE_FILES).map(([name, file]) => {
		const path = fileURLToPath(import.meta.resolve(file));
		copy(path, join(target, 'dashboard/client', name));
		return path;
	});
	const inputs = Object.keys(metafile.inputs).map((file) => resolve(source, file));
	return [...inputs, ...packageFiles]
		.map((file) => file.replaceAll('\\', '/'))
		.filter((file) => file.includes('/node_modules/'));
}

const isExcluded = (path: string): boolean => /(^|[/\\])(dist|node_modules)$/.test(path);

function copy(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true });
	copyFileSync(from, to);
}
