import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { z } from 'zod/v4';

import { dialectNameSchema } from '../dialects/dialect.ts';
import { UsageError } from '../http/errors.ts';
import { seedNameSchema } from '../seed/seed.ts';
import type { SandboxOptions } from '../types.ts';

export type CliOptions = Required<
	Pick<SandboxOptions, 'port' | 'host' | 'db' | 'dialect' | 'webhooks'>
> &
	Pick<SandboxOptions, 'seed' | 'clock' | 'apiKey'> & { json: boolean };

export const HELP = `The card platform's API on this machine, for testing.

Usage: npx card-platform-sandbox [options]                starts the sandbox
       npx card-platform-sandbox trigger EVENT [options]  simulates an event in it

trigger --help lists its options. Those of the start:

  --port NUMBER   port to listen on, 0 for any free one (default 4010)
  --host ADDRESS  address to listen on (default 127.0.0.1: this machine only)
  --db FILE       SQLite file that keeps data and key (default: in memory, lost on exit)
  --seed SEED     initial data for an empty database: small (a small company), none (only
                  its accounts), or a JSON file with your own; default small
  --dialect DIALECT
                  an API that differs where its description leaves that open: default,
                  snake_case (names of parameters), minimal (bare arrays, no filters),
                  strict (400 for unknown parameters), or a JSON file with your own
  --clock TIME    stops the clock at a time such as 2026-01-31T12:00:00Z
  --api-key KEY   the customer-scoped API key (default: a random one)
  --webhook URL   an endpoint for the events of all accounts; several are possible
  --webhook-secret SECRET
                  the signing secret of that endpoint; one for each --webhook
  --json          greets with one line of JSON, for scripts, and prints nothing else
  --version       show the version
  --help          show this help

Without --api-key, --webhook and --webhook-secret, the sandbox reads the environment
variables SANDBOX_API_KEY, SANDBOX_WEBHOOK_URL and SANDBOX_WEBHOOK_SECRET.`;

type Environment = Record<string, string | undefined>;

const listOf = (value = ''): string[] => value.split(/\s+/).filter((each) => each !== '');

/** Reads the options with which the sandbox is started, which checks them. Throws a UsageError for what it cannot read. */
export function parseOptions(args: string[], env: Environment = {}): CliOptions {
	const { values } = parse({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			db: { type: 'string', default: ':memory:' },
			seed: { type: 'string' },
			dialect: { type: 'string', default: 'default' },
			clock: { type: 'string' },
			'api-key': { type: 'string' },
			webhook: { type: 'string', multiple: true },
			'webhook-secret': { type: 'string', multiple: true },
			json: { type: 'boolean', default: false },
		},
	});
	const { host, db, clock, json } = values;
	const port = portOf(values.port);
	const urls = values.webhook ?? listOf(env.SANDBOX_WEBHOOK_URL);
	const secrets = values['webhook-secret'] ?? listOf(env.SANDBOX_WEBHOOK_SECRET);
	if (urls.length !== secrets.length) {
		throw new UsageError('each --webhook needs a --webhook-secret, and each secret a URL');
	}
	return {
		...{ port, host, db, clock, json },
		apiKey: values['api-key'] ?? env.SANDBOX_API_KEY,
		...(values.seed !== undefined && { seed: readNamed('seed', seedNameSchema, values.seed) }),
		dialect: readNamed('dialect', dialectNameSchema, values.dialect),
		webhooks: urls.map((url, index) => ({ url, secret: secrets[index] ?? '' })),
	};
}

function portOf(value: string): number {
	if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
	throw new UsageError(`--port must be a number from 0 to 65535, not "${value}"`);
}

/** Reads an option that is one of some names, or a file. */
function readNamed<T extends string>(
	option: string,
	names: z.ZodEnum<Record<T, T>>,
	value: string,
) {
	const { data: name } = names.safeParse(value);
	if (name !== undefined) return name;
	if (!existsSync(value)) {
		const known = names.options.join(', ');
		throw new UsageError(`--${option} must be ${known} or a JSON file, not "${value}"`);
	}
	try {
		return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(value, 'utf8')));
	} catch {
		throw new UsageError(`--${option}: ${value} holds no JSON object`);
	}
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
