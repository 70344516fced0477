import { parseArgs, type ParseArgsConfig } from 'node:util';

import { StartError } from '../http/errors.ts';
import { type SeedName, seedNameSchema } from '../seed/seed.ts';

/** A mistake in the command line. */
export class UsageError extends StartError {}

/** The options with which the sandbox is started. */
export interface CliOptions {
	port: number;
	host: string;
	allowHost: string | undefined;
	db: string;
	seed: SeedName;
}

/** The text of --help. */
export const HELP = `The card platform's API on this machine, for testing.

Usage: npx card-platform-sandbox [options]
       npx card-platform-sandbox trigger EVENT [options]
       npx card-platform-sandbox send --url URL --secret SECRET [options]

Without a command, starts the sandbox:

  --port NUMBER   port to listen on, 0 for any free one (default 4010)
  --host ADDRESS  address to listen on (default 127.0.0.1: this machine only)
  --allow-host HOST:PORT
                  lets other machines use the control plane and the dashboard too, at this
                  address; for a sandbox in a container (default: only this machine may)
  --db FILE       SQLite file that keeps the data (default: in memory, lost on exit)
  --seed NAME     initial data for an empty database: small (a small company), large (the
                  same with 100 000 transactions on 253 cards) or none (only its two
                  accounts); default small
  --help          show this help

trigger simulates an event in a running sandbox. EVENT is purchase, decline, increment,
clearing, release, reversal or refund. All but the first two continue a transaction.

  --transaction ID  the transaction to continue (default: a new purchase)
  --card ID         the card that pays (default: an active one)
  --amount AMOUNT   such as 12.50
  --country CODE    the merchant's country, such as RO
  --url URL         where the sandbox is (default http://localhost:4010)

send signs one webhook delivery and sends it to any receiver, without a sandbox.

  --url URL         the receiver
  --secret SECRET   the signing secret; twice for the two signatures of a rotation
  --event KIND      a sample event: approved (default), declined, refunded or reversed
  --body FILE       sends the bytes of this file instead
  --timestamp TIME  the header X-Webhook-Timestamp as it is sent (default: now)

trigger and send print the result as JSON to standard output, everything else to standard
error. Exit codes: 0 done, 1 declined, rejected or failed, 2 mistake in the command line.`;

/** Reads the options with which the sandbox is started. Throws a UsageError that says what is wrong with them. */
export function parseOptions(args: string[]): CliOptions {
	const { values } = parse({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			'allow-host': { type: 'string' },
			db: { type: 'string', default: ':memory:' },
			seed: { type: 'string', default: 'small' },
		},
	});
	const { seed, port } = values;
	const seedName = seedNameSchema.safeParse(seed);
	if (!seedName.success) throw new UsageError(`--seed must be small, large or none, not "${seed}"`);
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
		throw new UsageError(`--port must be a number from 0 to 65535, not "${port}"`);
	}
	for (const name of ['db', 'host'] as const) {
		if (values[name].trim() === '') throw new UsageError(`--${name} must not be empty`);
	}
	return {
		port: Number(port),
		host: values.host,
		allowHost: values['allow-host'],
		db: values.db,
		seed: seedName.data,
	};
}

/** Parses a command line. Throws a UsageError that says what is wrong with it. */
export function parse<const T extends ParseArgsConfig>(config: T) {
	try {
		return parseArgs(config);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const [firstSentence = message] = message.split(/\.\s/);
		throw new UsageError(`${firstSentence} (--help lists the options)`);
	}
}

/** Gives an option that has to be one of some values. Throws a UsageError that lists them. */
export function oneOf<T extends string>(what: string, values: readonly T[], value = ''): T {
	const found = values.find((each) => each === value);
	if (found === undefined) {
		throw new UsageError(`${what} must be one of ${values.join(', ')}, not "${value}"`);
	}
	return found;
}

/** Gives an option that has to be an http URL. Throws a UsageError if it is not. */
export function httpUrl(value = ''): URL {
	if (!/^https?:/i.test(value) || !URL.canParse(value)) {
		throw new UsageError(`--url must be an http or https URL, not "${value}"`);
	}
	return new URL(value);
}
