import { readFileSync, writeFileSync } from 'node:fs';

import { putTables } from './page.ts';
import { TABLES } from './tables.ts';

const check = process.argv.includes('--check');

for (const [file, tables] of Object.entries(TABLES)) {
	const page = readFileSync(file, 'utf8');
	const written = putTables(page, tables);
	for (const [row] of written.matchAll(/^\|.*\| *\|.*$/gm)) {
		console.error(`${file} needs text in the last cell of: ${row}`);
		process.exitCode = 1;
	}
	if (!check) writeFileSync(file, written);
	else if (written !== page) {
		console.error(`${file} is not up to date: npm run docs`);
		process.exitCode = 1;
	}
}
