import { basename } from 'node:path';

import { type ProcessOptions, runProcess } from './processes.ts';

/**
 * Runs npm in `cwd` and gives what it wrote to its standard output; throws with its last lines when it fails.
 */
export async function npm(
	args: readonly string[],
	options: ProcessOptions & { cwd: string },
): Promise<string> {
	const cli = process.env.npm_execpath;
	// The npm that started us is there for certain; without one (`node dev/harness/…`) it is looked up.
	if (cli !== undefined && basename(cli) === 'npm-cli.js') {
		return runProcess(process.execPath, [cli, ...args], options);
	}
	return runProcess('npm', args, options);
}
