import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';

import * as n8nCore from 'n8n-core';
import * as n8nWorkflow from 'n8n-workflow';

import { npm } from '../../harness/tools/npm.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';

const FOLDER = join(repositoryFolder, '.cache', 'n8n-core');
const ENGINE = 'package/dist/execution-engine/workflow-execute.js';

/** Reads one file of an npm package; tar stores a header of 512 bytes before each. */
function readFromTarball(tarball: Buffer, name: string): Buffer {
	const tar = gunzipSync(tarball);
	const field = (start: number, length: number) =>
		tar.toString('utf8', start, start + length).replace(/\0.*$/s, '');
	for (let header = 0; header < tar.length;) {
		const size = Number.parseInt(field(header + 124, 12) || '0', 8);
		const start = header + 512;
		const prefix = field(header + 345, 155);
		const path = prefix === '' ? field(header, 100) : `${prefix}/${field(header, 100)}`;
		if (path === name) return tar.subarray(start, start + size);
		header = start + Math.ceil(size / 512) * 512;
	}
	throw new Error(`${name} is not in the package`);
}

/** The engine of an n8n-core as it was published; from npm once, then from .cache. */
async function readEngine(version: string): Promise<string> {
	const file = join(FOLDER, `workflow-execute-${version}.js`);
	if (!existsSync(file)) {
		const folder = join(FOLDER, `${version}-${process.pid}`);
		await mkdir(folder, { recursive: true });
		await npm(['pack', `n8n-core@${version}`, '--pack-destination', folder], {
			cwd: repositoryFolder,
		});
		const tarball = await readFile(join(folder, `n8n-core-${version}.tgz`));
		const part = join(folder, 'engine.js');
		await writeFile(part, readFromTarball(tarball, ENGINE));
		// Never half of it, even where two runs fetch it.
		await rename(part, file);
		await rm(folder, { recursive: true });
	}
	return await readFile(file, 'utf8');
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

const isMethod = (value: unknown): value is Method => typeof value === 'function';

/**
 * Gets n8n's own `handleNodeErrorOutput` out of a published n8n-core: what decides whether an item
 * leaves through the success or the error output. It works with this n8n-core's contexts.
 */
export async function errorOutputOf(
	version: string,
): Promise<(this: unknown, ...args: unknown[]) => void> {
	const source = await readEngine(version);
	const [method] = /^ {4}handleNodeErrorOutput\([^]*?^ {4}\}$/m.exec(source) ?? [];
	if (method === undefined) throw new Error(`n8n-core ${version} has no handleNodeErrorOutput`);
	const make: unknown = runInThisContext(
		`(n8n_workflow_1, node_execution_context_1) => ({ ${method} }).handleNodeErrorOutput`,
	);
	const made = isMethod(make) ? make(n8nWorkflow, n8nCore) : undefined;
	if (!isMethod(made)) throw new Error(`n8n-core ${version}: no method was made`);
	return function (...args) {
		made.apply(this, args);
	};
}
