import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as esbuild from 'esbuild';

import { PACKAGE_FILES } from '../dashboard/assets.ts';
import { licencesOf } from './licences.ts';

const sandbox = resolve(import.meta.dirname, '..');
const dist = join(sandbox, 'dist');

rmSync(dist, { recursive: true, force: true });
const { metafile } = await esbuild.build({
	entryPoints: ['server.ts', 'bin.ts'],
	absWorkingDir: sandbox,
	// Comments name the bundled files: in the same way on every machine.
	preserveSymlinks: true,
	outdir: dist,
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

// What is read or served has its place in the source.
const isExcluded = (path: string) => /(^|[/\\])(dist|node_modules)$/.test(path);
for (const file of globSync('**/*.{css,js,svg,yaml}', { cwd: sandbox, exclude: isExcluded })) {
	cpSync(join(sandbox, file), join(dist, file));
}
// The ready-made workflows, as the dashboard offers them: with the text and the pictures of their README.
const workflows = join(sandbox, '../workflows');
cpSync(workflows, join(dist, 'workflows'), { recursive: true });
const readme = readFileSync(join(workflows, 'README.md'), 'utf8');
for (const [picture] of readme.matchAll(/(?<=docs\/images\/)[\w-]+\.png/g)) {
	cpSync(join(sandbox, '../docs/images', picture), join(dist, 'workflows', picture));
}
const packageFiles = [...PACKAGE_FILES].map(([name, file]) => {
	const path = fileURLToPath(import.meta.resolve(file));
	cpSync(path, join(dist, 'dashboard/client', name));
	return path;
});
const inputs = Object.keys(metafile.inputs).map((file) => resolve(sandbox, file));
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf([...inputs, ...packageFiles]));

const declarations = mkdtempSync(join(tmpdir(), 'sandbox-declarations-'));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const language = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--strict'];
const imports = ['--allowImportingTsExtensions', '--resolveJsonModule', '--skipLibCheck'];
const emit = ['--declaration', '--emitDeclarationOnly', '--outDir', declarations];
const compile = [tsc, join(sandbox, 'server.ts'), ...language, ...imports, ...emit];
execFileSync(process.execPath, compile, { stdio: 'inherit' });
// Those of other modules mention libraries, and nothing that is exported needs them.
for (const name of ['server', 'types']) {
	const text = readFileSync(join(declarations, `${name}.d.ts`), 'utf8');
	writeFileSync(join(dist, `${name}.d.ts`), text.replaceAll(".ts'", ".js'"));
}
rmSync(declarations, { recursive: true });
