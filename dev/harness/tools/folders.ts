import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What all steps of a run share. */
export interface RunContext {
	folder: string;
	/** Ends everything that was started. */
	cleanup: AsyncDisposableStack;
}

/** Removes a folder with all it holds, also where a process that has just ended still writes. */
export async function removeFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Creates a folder for one run, `card-platform-<name>-…`, which `cleanup` removes. */
export async function temporaryFolder(
	name: string,
	cleanup: AsyncDisposableStack,
): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `card-platform-${name}-`));
	cleanup.defer(() => removeFolder(folder));
	return folder;
}
