import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

import { newEncryptionKey } from '../../harness/n8n/environment.ts';
import { newOwner } from '../../harness/n8n/owner.ts';
import { UserError } from '../../harness/tools/errors.ts';

const lockFile = 'lock';

const settingsSchema = z.object({
	owner: z.object({ email: z.string(), password: z.string() }),
	encryptionKey: z.string(),
	/** The sandbox's key. It opens nothing but this sandbox, so it may be kept to be shown again. */
	apiKey: z.string().optional(),
});

/** What n8n and the sandbox cannot show again, kept from one start to the next. */
export type Settings = z.infer<typeof settingsSchema>;

/**
 * Creates a folder, and locks it until the function that it returns is called or the process ends. Throws
 * a {@link UserError} if another process has locked it.
 */
export async function lockFolder(folder: string): Promise<() => void> {
	await mkdir(folder, { recursive: true });
	// The system releases the lock of a database, however its process ended.
	const lock = new DatabaseSync(join(folder, lockFile));
	try {
		lock.exec('begin exclusive');
	} catch {
		lock.close();
		throw new UserError(
			`npm start is already running, with the data in ${folder}`,
			'Use that one, or end it with Ctrl-C in its terminal.',
		);
	}
	return () => lock.close();
}

/** Deletes all that earlier starts have left in a locked folder. */
export async function emptyFolder(folder: string): Promise<void> {
	const contents = (await readdir(folder)).filter((name) => !name.startsWith(lockFile));
	for (const name of contents) {
		await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Reads the settings of earlier starts; new ones at the first. Throws if they cannot be read. */
export async function readSettings(folder: string): Promise<Settings> {
	const text = await readFile(fileIn(folder), 'utf8').catch((error: unknown) => {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (text !== undefined) return settingsSchema.parse(JSON.parse(text));
	const settings = { owner: newOwner(), encryptionKey: newEncryptionKey() };
	await writeSettings(folder, settings);
	return settings;
}

/** Keeps settings for the next start, readable only for the person who started it. */
export async function writeSettings(folder: string, settings: Settings): Promise<void> {
	await writeFile(fileIn(folder), JSON.stringify(settings, undefined, '\t'), { mode: 0o600 });
}

function fileIn(folder: string): string {
	return join(folder, 'settings.json');
}
