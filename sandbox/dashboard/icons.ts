import { html, raw } from 'hono/html';

import { type IconName, ICONS, readIcon } from './assets.ts';
import type { Html } from './layout.ts';

const SVGS = new Map(
	ICONS.map((name) => [name, readIcon(name).replace('<svg', '<svg aria-hidden="true"')]),
);

/** An icon in the colour of the text; what it means has to stand in words, too. */
export const icon = (name: IconName): Html => html`${raw(SVGS.get(name) ?? '')}`;
