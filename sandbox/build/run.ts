import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { bundle } from './bundle.ts';
import { licencesOf } from './licences.ts';

const sandbox = resolve(import.meta.dirname, '..');
const dist = join(sandbox, 'dist');

rmSync(dist, { recursive: true, force: true });
const packaged = await bundle(sandbox, dist, ['server.ts', 'bin.ts']);
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(packaged));

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
