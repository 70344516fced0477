import { greeting, warnings } from './cli/greeting.ts';
import { HELP, parseOptions } from './cli/options.ts';
import { trigger, TRIGGER_HELP } from './cli/trigger.ts';
import { UsageError } from './http/errors.ts';
import packageJson from './package.json' with { type: 'json' };
import { startSandbox } from './server.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function main(args: string[]): Promise<void> {
	const [command, ...rest] = args;
	if (args.includes('--help')) console.log(command === 'trigger' ? TRIGGER_HELP : HELP);
	else if (args.includes('--version')) console.log(packageJson.version);
	else if (command === 'trigger') process.exitCode = await trigger(rest);
	else await start(args);
}

async function start(args: string[]): Promise<void> {
	const { json, ...options } = parseOptions(args, process.env);
	// A script may stop reading after the greeting. A full pipe would stop the sandbox.
	const trace = json ? undefined : (line: string) => console.log(line);
	const sandbox = await startSandbox({ ...options, trace }).catch((error: unknown) => {
		throw error instanceof UsageError ? new UsageError(nameOptions(error.message)) : error;
	});
	for (const signal of SIGNALS) process.once(signal, () => void sandbox.close().catch(fail));
	for (const warning of warnings(options)) console.error(`sandbox: warning: ${warning}`);
	try {
		const { url, apiUrl, apiKey } = sandbox;
		console.log(json ? JSON.stringify({ url, apiUrl, apiKey }) : await greeting(sandbox, options));
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

/** Names the options of a start at the beginning of an error as on the command line. */
const nameOptions = (message: string): string =>
	message
		.replace(/(?<=^|; )(db|host|clock|dialect)(?=[.:])/g, '--$1')
		.replace(/(?<=^|; )apiKey(?=:)/g, '--api-key')
		.replace(/(?<=^|; )webhooks\.\d+\.url(?=:)/g, '--webhook')
		.replace(/(?<=^|; )webhooks\.\d+\.secret(?=:)/g, '--webhook-secret');

function fail(error: unknown): void {
	console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = error instanceof UsageError ? 2 : 1;
}

// A sandbox whose terminal or pipe is gone goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
main(process.argv.slice(2)).catch(fail);
