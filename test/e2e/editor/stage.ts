import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import {
	type ColorScheme,
	type Editor,
	openEditor,
	type StoredCredential,
} from '../../../harness/editor/editor.ts';
import type { Company } from '../../../harness/scenario/stage.ts';
import type { Cleanup } from '../../../harness/tools/cleanup.ts';
import { eventually } from '../../../harness/tools/waiting.ts';

/** A real n8n with our package, a sandbox, and the editor in a browser. */
export interface EditorStage {
	editor: Editor;
	company: Company;
	apiCredential: StoredCredential;
}

/** Starts everything; `cleanup` ends it and removes what it wrote. */
export async function openEditorStage(cleanup: Cleanup): Promise<EditorStage> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-editor-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const { editor, company } = await openEditor({ folder, cleanup });
	return { editor, company, apiCredential: await editor.credential('cardPlatformApi') };
}

/**
 * Does something on a page of the editor and closes it. Afterwards the page's console must hold no
 * errors but those that are expected.
 */
export async function onPage(
	editor: Editor,
	path: string,
	use: (page: Page) => Promise<void>,
	{ expected = [], colorScheme }: { expected?: RegExp[]; colorScheme?: ColorScheme } = {},
): Promise<void> {
	const { page, errors } = await editor.page(path, colorScheme);
	try {
		await use(page);
	} finally {
		await page.close();
	}
	expect(errors.filter((error) => !expected.some((known) => known.test(error)))).toEqual([]);
}

/** Far more than the editor takes to show what it knows, even on a busy machine, in milliseconds. */
const withinMs = 60_000;

/**
 * Repeats a check until it passes, for what a locator cannot wait for: the editor shows its parts one
 * after the other.
 */
export const untilPasses = (check: () => Promise<void>): Promise<void> =>
	eventually(check, withinMs, 50);

const pathsSchema = z.array(z.string());

/** The paths of the images that a selector finds, once there are so many and each has been loaded or has failed to. */
export async function imagePaths(page: Page, selector: string, atLeast = 1): Promise<string[]> {
	const paths = await page.waitForFunction(`(() => {
		const all = [...document.querySelectorAll(${JSON.stringify(selector)})];
		if (all.length < ${atLeast} || !all.every(({ complete }) => complete)) return false;
		return all.map(({ src, naturalWidth }) =>
			naturalWidth > 0 ? new URL(src).pathname : 'not loaded: ' + src);
	})()`);
	return pathsSchema.parse(await paths.jsonValue());
}
