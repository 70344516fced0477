import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.ts';
import { packAndInstall } from '../harness/n8n/package.ts';
import type { RunContext } from '../harness/scenario/sandboxFixture.ts';
import type { Reporter } from '../harness/tools/terminal.ts';
import type { RunStep } from './step.ts';
import * as lines from './stepLines.ts';

/** The first two steps: installs n8n, and this package for the n8n of the run. */
export async function installationSteps(
	reporter: Reporter,
	step: RunStep,
	{ folder, signal }: Pick<RunContext, 'folder' | 'signal'>,
): Promise<void> {
	await step('n8n in n8n/', {
		work: () => installN8n({ reporter, signal }),
		fix: 'Check that npm reaches its registry, that GitHub is reachable or a C++ compiler is there (for SQLite), and that 3 GB of disk are free; then run it again.',
		showsProgress: true,
		lines: lines.ofInstallation,
	});
	await step('The package, as n8n installs it', {
		work: () => packAndInstall(join(folder, 'n8n'), signal),
		fix: 'Run `npm run build` and `npm pack` by themselves and see what they say.',
		lines: lines.ofPackage,
	});
}
