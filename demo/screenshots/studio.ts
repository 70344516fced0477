import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { waitUntil } from '../../harness/tools/waiting.ts';

/** Space around what is cut out, in pixels. */
const margin = 24;

/** What a picture may weigh at most, in bytes: people read the documentation on phones too. */
const maxBytes = 250_000;

/** Without messages that pop up and go away again, and a caret that blinks. */
const calm = { style: '.el-notification { display: none !important; }', caret: 'hide' } as const;

/** Whether something is being loaded or faded in; what turns for ever does not count. */
const isMoving = `document.querySelector('[aria-busy=true]') !== null ||
	document.getAnimations().some(({ playState, effect }) =>
		playState === 'running' && effect.getComputedTiming().iterations !== Infinity)`;

/** Waits until nothing has moved for ten looks in a row: one thing's end may set off another. */
async function untilAtRest(page: Page): Promise<void> {
	let looks = 0;
	const probe = async () => {
		looks = (await page.evaluate(isMoving)) === false ? looks + 1 : 0;
		return looks >= 10 ? true : undefined;
	};
	await waitUntil(probe, { what: 'the page to come to rest', withinMs: 60_000 });
}

/** Takes pictures and files them. */
export class Studio {
	readonly #folder: string;
	readonly #onTaken: (file: string) => void;

	/** @param onTaken gets the name of each file that was written */
	constructor(folder: string, onTaken: (file: string) => void) {
		this.#folder = folder;
		this.#onTaken = onTaken;
	}

	/** Takes a picture of a page, or of a part of it. Throws when it becomes too heavy. */
	async take(name: string, what: Page | Locator): Promise<void> {
		await untilAtRest('page' in what ? what.page() : what);
		await this.#file(name, (path) => what.screenshot({ path, ...calm }));
	}

	/** Takes a picture of the part of a page that holds all elements which `inside` finds. */
	async takeAround(name: string, inside: Locator): Promise<void> {
		await untilAtRest(inside.page());
		const boxes = (
			await Promise.all((await inside.all()).map((each) => each.boundingBox()))
		).filter((box) => box !== null);
		const x = Math.min(...boxes.map((box) => box.x)) - margin;
		const y = Math.min(...boxes.map((box) => box.y)) - margin;
		const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
		const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
		const clip = { x, y, width: right - x, height: bottom - y };
		await this.#file(name, (path) => inside.page().screenshot({ path, clip, ...calm }));
	}

	/** Takes a picture of each page, or part of a page, and puts them below each other. Throws as `take` does. */
	async takeTogether(
		name: string,
		parts: readonly (Page | Locator)[],
		browser: Browser,
	): Promise<void> {
		const images: string[] = [];
		for (const part of parts) {
			await untilAtRest('page' in part ? part.page() : part);
			const picture = await part.screenshot(calm);
			images.push(`<img src="data:image/png;base64,${picture.toString('base64')}">`);
		}
		const page = await browser.newPage();
		const style = 'display: grid; gap: 16px; justify-items: center; width: max-content';
		await page.setContent(`<main style="${style}">${images.join('')}</main>`);
		await this.take(name, page.locator('main'));
		await page.close();
	}

	async #file(name: string, take: (path: string) => Promise<unknown>): Promise<void> {
		const file = `${name}.png`;
		const path = join(this.#folder, file);
		await take(path);
		const { size } = await stat(path);
		if (size > maxBytes) throw new Error(`${file} has ${size} bytes; at most ${maxBytes} may be`);
		this.#onTaken(file);
	}
}
