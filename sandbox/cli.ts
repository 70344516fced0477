import { HELP, parseOptions, UsageError } from './cli/options.ts';
import { send } from './cli/send.ts';
import { allowHostWarning, hostWarning, summary } from './cli/summary.ts';
import { trigger } from './cli/trigger.ts';
import { startSandbox } from './server.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function main(args: string[]): Promise<void> {
	const [command, ...rest] = args;
	if (args.includes('--help')) console.log(HELP);
	else if (command === 'trigger') process.exitCode = await trigger(rest);
	else if (command === 'send') process.exitCode = await send(rest);
	else await start(args);
}

async function start(args: string[]): Promise<void> {
	const options = parseOptions(args);
	const sandbox = await startSandbox(options);
	const end = () => {
		// Without a handler, the next signal ends the process at once.
		for (const signal of SIGNALS) process.off(signal, end);
		sandbox.close().catch(fail);
	};
	for (const signal of SIGNALS) process.on(signal, end);
	for (const warning of [hostWarning(options, sandbox), allowHostWarning(options)]) {
		if (warning !== undefined) console.error(`sandbox: warning: ${warning}`);
	}
	try {
		console.log(await summary(sandbox, options.db));
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

function fail(error: unknown): void {
	console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = error instanceof UsageError ? 2 : 1;
}

main(process.argv.slice(2)).catch(fail);
