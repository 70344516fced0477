import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { format } from 'prettier';

import { bundle } from './bundle.ts';
import { declarationsOf } from './declarations.ts';
import { licencesOf } from './licences.ts';

const sandbox = resolve(import.meta.dirname, '..');
const dist = join(sandbox, 'dist');

rmSync(dist, { recursive: true, force: true });
const packaged = await bundle(sandbox, dist, ['index.ts', 'bin.ts']);
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(packaged));
const declarations = declarationsOf(join(sandbox, 'index.ts'), join(sandbox, '../tsconfig.json'));
writeFileSync(join(dist, 'index.d.ts'), await format(declarations, { parser: 'typescript' }));
