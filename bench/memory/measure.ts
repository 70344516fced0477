import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { z } from 'zod';

import { assert } from '../../harness/tools/errors.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { apiKey } from '../server/settings.ts';

/** What the probe prints. */
const memorySchema = z.object({ items: z.number(), peakMb: z.number(), itemsMb: z.number() });

/** Memory in MB (10⁶ bytes) beyond what was there before the node ran. */
export type Memory = z.infer<typeof memorySchema>;

/**
 * Reads a whole list with this node, in a separate process, and watches its memory.
 * Throws when it does not read `items` items.
 */
export async function measureMemory(
	apiUrl: string,
	items: number,
	signal: AbortSignal,
): Promise<Memory> {
	const hooks = pathToFileURL(join(repositoryFolder, 'harness', 'tools', 'tsImports.ts')).href;
	const probe = join(import.meta.dirname, 'probe.ts');
	const args = ['--no-warnings', '--expose-gc', '--import', hooks, probe, apiUrl, apiKey];
	const memory = memorySchema.parse(
		JSON.parse(await runProcess(process.execPath, args, { signal })),
	);
	const message = `The memory probe read ${memory.items} items, not ${items}`;
	assert(memory.items === items, message, 'Look at bench/memory/probe.ts.');
	return memory;
}
