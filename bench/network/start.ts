import { join } from 'node:path';

import { z } from 'zod';

import { startListener } from '../listener.ts';
import type { BenchContext } from '../n8n/start.ts';

/** Starts a link (link.ts) to a port of localhost in a separate process; gives its own port. */
export async function startLink(
	context: Pick<BenchContext, 'cleanup' | 'signal'>,
	targetPort: number,
	roundTripMs: number,
): Promise<number> {
	const script = join(import.meta.dirname, 'main.ts');
	const report = z.object({ port: z.number() });
	const { port } = await startListener(
		context,
		[script, String(targetPort), String(roundTripMs)],
		report,
	);
	return port;
}
