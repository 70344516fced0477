import { parseArgs } from 'node:util';
import { Problem } from '../harness/tools/problem.ts';

export interface DemoOptions {
	/** End by itself after the story instead of staying up. */
	once: boolean;
	/** Leave this run's folder (n8n's data and log, the tarball) behind. */
	keepFolder: boolean;
	/** A sandbox file that outlives the demo. */
	db: string | undefined;
	n8nPort: number | undefined;
	sandboxPort: number | undefined;
	help: boolean;
}

export const usage = `Shows how a signed card event freezes a card, in a real n8n on this machine.

  npm run demo                    tell the story, then stay up until Ctrl-C
  npm run demo -- --once          tell the story, then end (exit code 0, or 1 when a step fails)

  --db FILE             keep the sandbox's company in FILE (default: gone with the demo)
  --n8n-port PORT       default: 5678, or any free port when that is taken
  --sandbox-port PORT   default: 4010, or any free port when that is taken
  --keep-folder         leave n8n's data and log behind, and say where
  --help                this text`;

/** Reads the command line. Throws a {@link Problem} when it makes no sense. */
export function readOptions(args: string[]): DemoOptions {
	const { values } = parse(args);
	return {
		once: values.once,
		keepFolder: values['keep-folder'],
		db: values.db,
		n8nPort: readPort(values['n8n-port']),
		sandboxPort: readPort(values['sandbox-port']),
		help: values.help,
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				once: { type: 'boolean', default: false },
				'keep-folder': { type: 'boolean', default: false },
				db: { type: 'string' },
				'n8n-port': { type: 'string' },
				'sandbox-port': { type: 'string' },
				help: { type: 'boolean', short: 'h', default: false },
			},
		});
	} catch (error) {
		throw new Problem(error instanceof Error ? error.message : String(error), usage);
	}
}

function readPort(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
	throw new Problem(`${text} is no port`, 'Give a whole number from 1 to 65535.');
}
