import { commandLine, integer } from '../harness/tools/commandLine.ts';

export type DemoOptions = ReturnType<typeof readOptions>;

const port = integer(1, 65_535);

/** Reads the command line. Ends the program after `--help`, and if an option is invalid. */
export function readOptions(args: readonly string[]) {
	return commandLine(
		'npm run demo --',
		'Shows how a signed card event freezes a card, in a real n8n on this machine; stays up until Ctrl-C.',
	)
		.option('--once', 'end after the demo (exit code 0, or 1 if a step fails)')
		.option('--db <file>', "keep the sandbox's data in a file (default: gone with the demo)")
		.option('--n8n-port <port>', 'default: 5678, or any free port if that is taken', port)
		.option('--sandbox-port <port>', 'default: 4010, or any free port if that is taken', port)
		.option('--keep-folder', "leave n8n's data and log behind, and say where")
		.parse(args, { from: 'user' })
		.opts();
}
