import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { startBrowser } from '../../../playground/browser.ts';
import { type ColorScheme, Editor, type StoredCredential } from '../../../playground/editor.ts';
import {
	type Company,
	openCompany,
	packAndInstall,
	startAutomation,
} from '../../../playground/scenario/stage.ts';
import type { Cleanup } from '../../../playground/tools/cleanup.ts';

/** A real n8n with our package, a sandbox, and the editor in a browser. */
export interface EditorStage {
	editor: Editor;
	company: Company;
	apiCredential: StoredCredential;
}

/** Starts everything; `cleanup` ends it and removes what it wrote. */
export async function openEditor(cleanup: Cleanup): Promise<EditorStage> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-editor-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const scene = { folder, cleanup };
	await packAndInstall(scene);
	const company = await openCompany(scene);
	const { n8n } = await startAutomation(scene, company);
	const browser = await startBrowser();
	cleanup.defer(() => browser.close());
	const editor = await Editor.open(n8n, browser);
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

const pathsSchema = z.array(z.string());

/** The paths of the images that a selector finds, once each has been loaded or has failed to. */
export async function imagePaths(page: Page, selector: string): Promise<string[]> {
	await page.locator(selector).first().waitFor();
	const all = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
	await page.waitForFunction(`${all}.every(({ complete }) => complete)`);
	const describe = `({ src, naturalWidth }) =>
		naturalWidth > 0 ? new URL(src).pathname : 'not loaded: ' + src`;
	return pathsSchema.parse(await page.evaluate(`${all}.map(${describe})`));
}
