import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { waitUntil } from '../../harness/tools/waiting.ts';
import { filmOf, type Frame } from './film.ts';

/** Space around what is cut out, in pixels. */
const margin = 24;

/** What a picture may weigh at most, in bytes: people read the documentation on phones too. */
const maxBytes = 120_000;

/** The same for a film. */
const maxFilmBytes = 400_000;

/** The part of a page that a film shows, in pixels. */
const screen = { x: 0, y: 0, width: 1000, height: 640 };

/** Without messages that pop up and go away again, and a caret that blinks. */
const calm = { style: '.el-notification { display: none !important; }', caret: 'hide' } as const;

/** Whether something is being loaded or faded in; what turns for ever does not count. */
const isMoving = `document.querySelector('[aria-busy=true]') !== null ||
	document.getAnimations().some(({ playState, effect }) =>
		playState === 'running' && effect.getComputedTiming().iterations !== Infinity)`;

/** Waits until nothing has moved for ten looks in a row: one thing's end may set off another. */
async function waitUntilAtRest(page: Page): Promise<void> {
	let looks = 0;
	const probe = async () => {
		looks = (await page.evaluate(isMoving)) === false ? looks + 1 : 0;
		return looks >= 10;
	};
	await waitUntil(probe, { what: 'the page to come to rest', withinMs: 60_000 });
}

/** Captures pictures of pages, and writes them to files. */
export type Screenshots = ReturnType<typeof screenshotsIn>;

/**
 * Captures pictures into a folder.
 *
 * @param onWritten gets the name of each file that was written
 */
export function screenshotsIn(folder: string, onWritten: (file: string) => void) {
	const frames: Frame[] = [];

	const write = async (name: string, picture: Buffer, most = maxBytes) => {
		const file = `${name}.png`;
		const { length } = picture;
		if (length > most) throw new Error(`${file} has ${length} bytes; at most ${most} may be`);
		await writeFile(join(folder, file), picture);
		onWritten(file);
	};

	return {
		/** Captures a page or a part of one. Throws when the picture is too heavy. */
		capture: async (name: string, part: Page | Locator) => {
			await waitUntilAtRest('page' in part ? part.page() : part);
			await write(name, await part.screenshot(calm));
		},

		/** Captures the part of a page that holds all elements which `inside` finds. */
		captureAround: async (name: string, inside: Locator) => {
			await waitUntilAtRest(inside.page());
			const boxes = (
				await Promise.all((await inside.all()).map((each) => each.boundingBox()))
			).filter((box) => box !== null);
			const x = Math.min(...boxes.map((box) => box.x)) - margin;
			const y = Math.min(...boxes.map((box) => box.y)) - margin;
			const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
			const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
			const clip = { x, y, width: right - x, height: bottom - y };
			await write(name, await inside.page().screenshot({ clip, ...calm }));
		},

		/** Adds what a page shows to the film, for some milliseconds; as its beginning, too, if a program that shows only one picture is to show this one. */
		addToFilm: async (page: Page, ms: number, isPoster = false) => {
			await page.setViewportSize(screen);
			await waitUntilAtRest(page);
			const frame = { picture: await page.screenshot({ clip: screen, ...calm }), ms };
			frames.push(frame);
			if (isPoster) frames.unshift(frame);
		},

		/** Writes the film. Throws if it has too many bytes. */
		writeFilm: (name: string) => write(name, filmOf(frames), maxFilmBytes),
	};
}
