import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'client');

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
