#!/usr/bin/env node
import packageJson from './package.json' with { type: 'json' };

const minimum = packageJson.engines.node.replace('>=', '');
const { node } = process.versions;
if (node.localeCompare(minimum, 'en', { numeric: true }) >= 0) {
	// Loaded after the check: node:sqlite cannot be imported by an older Node.
	await import('./cli.ts');
} else {
	console.error(
		`sandbox: Node ${minimum} or later is required, for node:sqlite; this is Node ${node}`,
	);
	process.exitCode = 1;
}
