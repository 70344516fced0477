import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

/** Where the files of npm packages lie below the compiled code. */
const PACKAGES = 'packages';

/** A file inside an npm package, as a string literal names it, e.g. 'htmx.org/dist/htmx.min.js'. */
const PACKAGE_FILE = /['"]((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)+\.(?:css|js))['"]/g;

const slashed = (path: string): string => path.replaceAll('\\', '/');

/**
 * Compiles the sandbox into one folder, with the libraries it runs on. Modules find the files they
 * read as in the source: `import.meta.url` and `import.meta.dirname` keep leading to the place that
 * mirrors the source's, and `import.meta.resolve` to copies of the packages' files.
 *
 * @param source the sandbox's folder
 * @param target the folder to write to
 * @param entries modules below `source`
 * @returns the files of npm packages that are now in `target`, as absolute paths with slashes
 */
export async function bundle(source: string, target: string, entries: string[]): Promise<string[]> {
	const packageFiles = new Map<string, string>();
	const { metafile } = await esbuild.build({
		entryPoints: entries.map((entry) => join(source, entry)),
		outdir: target,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22',
		legalComments: 'inline',
		metafile: true,
		logLevel: 'warning',
		// undici is CommonJS, and requires modules of Node.
		banner: {
			js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
		},
		plugins: [keepPlaces(source, packageFiles), partOfUndici(source)],
	});
	for (const file of globSync('**/*.{css,js,svg,yaml}', { cwd: source, exclude: isExcluded })) {
		copy(join(source, file), join(target, file));
	}
	for (const [name, file] of packageFiles) copy(file, join(target, PACKAGES, name));
	const inputs = Object.keys(metafile.inputs).map((file) => resolve(file));
	return [...inputs, ...packageFiles.values()]
		.map(slashed)
		.filter((file) => file.includes('/node_modules/'));
}

const isExcluded = (path: string): boolean => /(^|[/\\])(dist|node_modules)$/.test(path);

function copy(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true });
	copyFileSync(from, to);
}

function keepPlaces(source: string, packageFiles: Map<string, string>): esbuild.Plugin {
	return {
		name: 'keep-places',
		setup(build) {
			build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
				const place = slashed(relative(source, path));
				const code = readFileSync(path, 'utf8');
				if (code.includes('import.meta.resolve(')) {
					for (const [, name = ''] of code.matchAll(PACKAGE_FILE)) {
						packageFiles.set(name, fileURLToPath(import.meta.resolve(name)));
					}
				}
				const contents = code
					.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
					.replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(place)}')`)
					.replaceAll(
						'import.meta.resolve(',
						`((name) => new URL('${PACKAGES}/' + name, import.meta.url).href)(`,
					);
				return { contents, loader: 'ts' };
			});
		},
	};
}

const partOfUndici = (source: string): esbuild.Plugin => ({
	name: 'part-of-undici',
	setup(build) {
		build.onResolve({ filter: /^undici$/ }, () => ({ path: join(source, 'build/undici.cjs') }));
	},
});
