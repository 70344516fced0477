import { raw } from 'hono/html';

import { type IconName, readAsset } from './assets.ts';
import type { Html } from './layout.ts';

const read = new Map<IconName, Html>();

/** An icon in the colour of the text; what it means has to stand in words, too. */
export function icon(name: IconName): Html {
	const svg =
		read.get(name) ??
		raw(readAsset(`${name}.svg`)?.body.replace('<svg', '<svg aria-hidden="true"') ?? '');
	read.set(name, svg);
	return svg;
}
