import { HELP, parseOptions } from './cli/options.ts';
import { allowHostWarning, summary } from './cli/summary.ts';
import { startSandbox } from './server.ts';

async function main(): Promise<void> {
	const { help, ...options } = parseOptions(process.argv.slice(2));
	if (help) {
		console.log(HELP);
		return;
	}
	const sandbox = await startSandbox(options);
	const end = () => void sandbox.close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
	console.log(await summary(sandbox, options.db));
	if (options.allowHost !== undefined) console.error(allowHostWarning(options.allowHost));
}

main().catch((error: unknown) => {
	console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
