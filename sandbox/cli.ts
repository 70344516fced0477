import { HELP, parseOptions } from './cli/options.ts';
import { allowHostWarning, hostWarning, summary } from './cli/summary.ts';
import { startSandbox } from './server.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function main(): Promise<void> {
	const { help, ...options } = parseOptions(process.argv.slice(2));
	if (help) {
		console.log(HELP);
		return;
	}
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
	process.exitCode = 1;
}

main().catch(fail);
