import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { raw } from 'hono/html';

import { ROOT } from '../root.ts';

/** Icons that pages contain, by their names in Bootstrap Icons. */
const ICONS = [
	'arrow-left-right',
	'book',
	'broadcast',
	'building',
	'calendar-event',
	'check-circle',
	'copy',
	'credit-card',
	'diagram-3',
	'journal-text',
	'lightning-charge',
	'list',
	'plug',
	'sliders',
	'speedometer2',
] as const;
export type IconName = (typeof ICONS)[number];

/**
 * Files of npm packages that pages load or contain, by the name under which they are served. A checkout takes
 * them from node_modules; the built package has no dependency on those packages and carries the
 * files in the folder `client`, beside our own.
 */
export const PACKAGE_FILES = new Map([
	['bootstrap.css', 'bootstrap/dist/css/bootstrap.min.css'],
	['htmx.js', 'htmx.org/dist/htmx.min.js'],
	['rapidoc.js', 'rapidoc/dist/rapidoc-min.js'],
	...ICONS.map((name) => [`${name}.svg`, `bootstrap-icons/icons/${name}.svg`] as const),
]);

/** Our own files that pages load, in the folder `client`. */
export const OWN_FILES = ['dashboard.css', 'dashboard.js', 'icon.svg'];

const CONTENT_TYPES: Record<string, string> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** Reads a file that the browser loads, by the name under which it is served; undefined for any other name. */
export function readAsset(name: string): { contentType: string; body: string } | undefined {
	const packageFile = PACKAGE_FILES.get(name);
	if (packageFile === undefined && !OWN_FILES.includes(name)) return undefined;
	const bundled = fileURLToPath(new URL(`dashboard/client/${name}`, ROOT));
	const path =
		packageFile === undefined || existsSync(bundled)
			? bundled
			: createRequire(ROOT).resolve(packageFile);
	return { contentType: CONTENT_TYPES[extname(name)] ?? '', body: readFileSync(path, 'utf8') };
}

const read = new Map<IconName, ReturnType<typeof raw>>();

/** An icon in the colour of the text; what it means has to stand in words, too. */
export function icon(name: IconName): ReturnType<typeof raw> {
	const svg =
		read.get(name) ??
		raw(readAsset(`${name}.svg`)?.body.replace('<svg', '<svg aria-hidden="true"') ?? '');
	read.set(name, svg);
	return svg;
}
