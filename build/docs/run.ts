import { readFileSync, writeFileSync } from 'node:fs';

import { putTables } from './page.ts';
import { TABLES } from './tables.ts';

for (const [file, tables] of Object.entries(TABLES)) {
	writeFileSync(file, putTables(readFileSync(file, 'utf8'), tables));
}
