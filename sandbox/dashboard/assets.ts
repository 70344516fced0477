import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT } from '../root.ts';

/**
 * Files of npm packages that pages load, by the name under which they are served. A checkout takes
 * them from node_modules; the built package has no dependency on those packages and carries the
 * files in the folder `client`, beside our own.
 */
export const PACKAGE_FILES: Record<string, string> = {
	'bootstrap.css': 'bootstrap/dist/css/bootstrap.min.css',
	'htmx.js': 'htmx.org/dist/htmx.min.js',
	'rapidoc.js': 'rapidoc/dist/rapidoc-min.js',
};

/** Icons that pages contain, by their names in Bootstrap Icons. */
export const ICONS = [
	'arrow-left-right',
	'book',
	'broadcast',
	'building',
	'calendar-event',
	'check-circle',
	'copy',
	'credit-card',
	'journal-text',
	'lightning-charge',
	'list',
	'plug',
	'sliders',
	'speedometer2',
] as const;
/** The name of an icon. */
export type IconName = (typeof ICONS)[number];

/** The file of an icon, as PACKAGE_FILES has them. */
export const iconFile = (icon: IconName) =>
	[`icons/${icon}.svg`, `bootstrap-icons/icons/${icon}.svg`] as const;

/** Reads an icon. */
export const readIcon = (icon: IconName): string =>
	readFileSync(packagePath(...iconFile(icon)), 'utf8');

/** Our own files that pages load, in the folder `client`. */
export const OWN_FILES = ['dashboard.css', 'dashboard.js', 'icon.svg', 'theme.js'];

const CONTENT_TYPES: Record<string, string> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** A file that the browser loads. */
export interface Asset {
	contentType: string;
	body: string;
}

/** Reads an asset by the name under which it is served; undefined for any other name. */
export function readAsset(name: string): Asset | undefined {
	const path = pathOf(name);
	const contentType = CONTENT_TYPES[extname(name)];
	if (path === undefined || contentType === undefined) return undefined;
	return { contentType, body: readFileSync(path, 'utf8') };
}

function pathOf(name: string): string | undefined {
	const packageFile = Object.hasOwn(PACKAGE_FILES, name) ? PACKAGE_FILES[name] : undefined;
	if (packageFile !== undefined) return packagePath(name, packageFile);
	return OWN_FILES.includes(name) ? clientPath(name) : undefined;
}

const clientPath = (name: string): string =>
	fileURLToPath(new URL(`dashboard/client/${name}`, ROOT));

function packagePath(name: string, packageFile: string): string {
	const bundled = clientPath(name);
	return existsSync(bundled) ? bundled : createRequire(ROOT).resolve(packageFile);
}
