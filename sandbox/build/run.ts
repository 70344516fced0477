import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { generateDtsBundle } from 'dts-bundle-generator';

import { bundle } from './bundle.ts';
import { licencesOf } from './licences.ts';

const sandbox = resolve(import.meta.dirname, '..');
const dist = join(sandbox, 'dist');

rmSync(dist, { recursive: true, force: true });
const packaged = await bundle(sandbox, dist, ['index.ts', 'bin.ts']);
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(packaged));

// With the types of the libraries, so that whoever installs the package needs none of them.
const inlinedLibraries = ['@hono/node-server', 'hono', 'zod'];
const [declarations = ''] = generateDtsBundle(
	[
		{
			filePath: join(sandbox, 'index.ts'),
			libraries: { inlinedLibraries },
			output: { exportReferencedTypes: false },
		},
	],
	{ preferredConfigPath: join(sandbox, '../tsconfig.json') },
);
writeFileSync(join(dist, 'index.d.ts'), declarations);
