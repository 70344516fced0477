import { Cleanup } from '../../harness/tools/cleanup.ts';
import { abortOnInterrupt, exitCodeOf, reportFailure } from '../../harness/tools/program.ts';
import { terminal } from '../../harness/tools/terminal.ts';
import { untilInterrupted } from '../untilInterrupted.ts';
import { readOptions } from './options.ts';
import { runSteps } from './steps.ts';

const reporter = terminal();
const signal = abortOnInterrupt();

process.exitCode = await exitCodeOf(main, signal, (error) => {
	reporter.line();
	reportFailure(reporter, error);
});

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	const cleanup = new Cleanup();
	try {
		const n8n = await runSteps(reporter, { folder: options.folder, cleanup, signal }, options);
		cleanup.defer(() => {
			reporter.line();
			reporter.progress('Ending n8n and the sandbox …');
		});
		await untilInterrupted(n8n.process, signal, `Read ${n8n.process.logFile}.`);
	} finally {
		await cleanup.run();
	}
	reporter.line(
		`n8n and the sandbox have ended. Your workflows and data are in ${options.folder}.`,
	);
}
