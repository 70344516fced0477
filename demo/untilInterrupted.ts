import type { N8nProcess } from '../harness/n8n/process.ts';
import { assert } from '../harness/tools/errors.ts';

/** Waits for Ctrl-C. Throws, with `fix`, when n8n ends before. */
export async function untilInterrupted(
	n8n: N8nProcess,
	signal: AbortSignal,
	fix: string,
): Promise<void> {
	const interrupted = new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	await Promise.race([n8n.exited(), interrupted]);
	assert(signal.aborted, 'n8n ended by itself', fix);
}
