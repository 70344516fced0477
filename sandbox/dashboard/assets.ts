import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'client');

/**
 * Files of npm packages that pages load, by the name under which they are served. A checkout takes
 * them from node_modules; the built package has no dependency on those packages and carries the
 * files in the folder `client`, beside our own.
 */
export const PACKAGE_FILES: Record<string, string> = {};

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

/** Reads the files that pages may ask for, by name; whatever else lies in the folder stays private. */
export function readAssets(): Map<string, Asset> {
	const assets = new Map<string, Asset>();
	for (const name of readdirSync(FOLDER)) {
		const contentType = CONTENT_TYPES[extname(name)];
		if (contentType === undefined) continue;
		assets.set(name, { contentType, body: readFileSync(join(FOLDER, name), 'utf8') });
	}
	return assets;
}
