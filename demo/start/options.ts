import { resolve } from 'node:path';

import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { usualN8nPort, usualSandboxPort } from '../ports.ts';

export type StartOptions = ReturnType<typeof readOptions>;

const port = integer(1, 65_535);

/** Reads the command line. Ends the program after `--help`, and if an option is invalid. */
export function readOptions(args: readonly string[]) {
	return commandLine(
		'npm start --',
		'Starts n8n with this package, the sandbox and an empty canvas; stays up until Ctrl-C. The next start continues where you left off.',
	)
		.option('--reset', 'start afresh: delete the workflows, credentials and data of earlier starts')
		.option('--n8n-port <port>', 'part of every webhook URL: keep to one', port, usualN8nPort.usual)
		.option(
			'--sandbox-port <port>',
			'part of the Base URL: keep to one',
			port,
			usualSandboxPort.usual,
		)
		.option(
			'--folder <folder>',
			'where workflows, credentials and data are kept',
			(folder) => resolve(folder),
			`${repositoryFolder}/.playground`,
		)
		.parse(args, { from: 'user' })
		.opts();
}
