import packageJson from '../package.json' with { type: 'json' };

/** Ends the process with a message if this Node is older than `engines` in package.json demands. */
export function assertNodeVersion(version = process.versions.node): void {
	const minimum = packageJson.engines.node.replace('>=', '');
	if (isAtLeast(version, minimum)) return;
	console.error(
		`sandbox: Node ${minimum} or later is required, for node:sqlite; this is Node ${version}`,
	);
	process.exit(1);
}

function isAtLeast(version: string, minimum: string): boolean {
	return version.localeCompare(minimum, 'en', { numeric: true }) >= 0;
}
