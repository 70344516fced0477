import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { n8nFolder } from '../harness/tools/paths.ts';
import { z } from 'zod';

/** What figures depend on; nothing that names the machine. */
export interface Machine {
	cores: number;
	processor: string;
	/** In GB (10⁹ bytes). */
	memoryGb: number;
	node: string;
	n8n: string;
	/** YYYY-MM-DD. */
	date: string;
}

const packageSchema = z.object({ dependencies: z.object({ n8n: z.string() }) });

/** Looks at this machine. n8n runs on the same version of Node.js as the bench. */
export async function describeMachine(): Promise<Machine> {
	const file = await readFile(join(n8nFolder, 'package.json'), 'utf8');
	const [processor] = cpus();
	return {
		cores: cpus().length,
		processor: processor?.model.trim() ?? 'unknown',
		memoryGb: Math.round(totalmem() / 1e9),
		node: process.versions.node,
		n8n: packageSchema.parse(JSON.parse(file)).dependencies.n8n,
		date: new Date().toISOString().slice(0, 10),
	};
}
