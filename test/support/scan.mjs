import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

// Runs n8n's own scan over a folder, and prints its result: `node scan.mjs FOLDER [source]`.
const [folder, kind] = process.argv.slice(2);
const result = await analyzePackage(folder, kind === 'source' ? SOURCE_FILE_PATTERNS : undefined);
console.log(JSON.stringify(result));
