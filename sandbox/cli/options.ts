import { parseArgs } from 'node:util';

import { StartError } from '../http/errors.ts';
import { type SeedName, seedNameSchema } from '../seed/seed.ts';

/** The options of the command line. */
export interface CliOptions {
	port: number;
	host: string;
	allowHost: string | undefined;
	db: string;
	seed: SeedName;
	help: boolean;
}

/** The text of --help. */
export const HELP = `The card platform's API on this machine, for testing.

Usage: npx card-platform-sandbox [options]

  --port NUMBER   port to listen on, 0 for any free one (default 4010)
  --host ADDRESS  address to listen on (default 127.0.0.1: this machine only)
  --allow-host HOST:PORT
                  lets other machines use the control plane and the dashboard too, at this
                  address; for a sandbox in a container (default: only this machine may)
  --db FILE       SQLite file that keeps the data (default: in memory, lost on exit)
  --seed NAME     initial data for an empty database: small (a small company), large (the
                  same with 100 000 transactions on 253 cards) or none (only its two
                  accounts); default small
  --help          show this help`;

/** Reads the command line (without program and script). Throws a StartError that says what is wrong with it. */
export function parseOptions(args: string[]): CliOptions {
	const { values } = parse(args);
	const { seed, port } = values;
	const seedName = seedNameSchema.safeParse(seed);
	if (!seedName.success) throw new StartError(`--seed must be small, large or none, not "${seed}"`);
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
		throw new StartError(`--port must be a number from 0 to 65535, not "${port}"`);
	}
	for (const name of ['db', 'host'] as const) {
		if (values[name].trim() === '') throw new StartError(`--${name} must not be empty`);
	}
	return {
		port: Number(port),
		host: values.host,
		allowHost: values['allow-host'],
		db: values.db,
		seed: seedName.data,
		help: values.help,
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string', default: '4010' },
				host: { type: 'string', default: '127.0.0.1' },
				'allow-host': { type: 'string' },
				db: { type: 'string', default: ':memory:' },
				seed: { type: 'string', default: 'small' },
				help: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const [firstSentence = message] = message.split(/\.\s/);
		throw new StartError(`${firstSentence} (--help lists the options)`);
	}
}
