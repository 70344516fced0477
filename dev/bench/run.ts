import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.ts';
import { commandLine, Option } from '../harness/tools/commandLine.ts';
import { temporaryFolder } from '../harness/tools/folders.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { runProgram } from '../harness/tools/program.ts';
import {
	barChart,
	describeMachine,
	goalTable,
	putResults,
	RESULT_PAGES,
	toMarkdown,
} from './report.ts';
import { measure, type Result } from './scenario.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { exportAll } from './scenarios/export.ts';

/** By the names that `--only` takes. Each starts what it needs. */
const scenarios = { export: exportAll, deliveries };

const command = commandLine(
	'npm run bench --',
	'Measures this package in a real n8n, beside what one would use without it: less than 10 minutes on two idle cores.',
)
	.addOption(
		new Option('--only <scenarios...>', 'measure these scenarios only').choices(
			Object.keys(scenarios),
		),
	)
	.option('--write', `put the results into ${Object.values(RESULT_PAGES).join(' and ')}`)
	.parse();
const { only, write = false } = command.opts();
if (write && only) {
	command.error('error: the documents take the results of all scenarios');
}

await runProgram(async ({ report, cleanup }) => {
	await installN8n({ report });
	const context = { report, cleanup, folder: await temporaryFolder('bench', cleanup) };
	const results: Result[] = [];
	for (const [name, prepare] of Object.entries(scenarios)) {
		if (only && !only.includes(name)) continue;
		results.push(await measure(name, await prepare(context), report));
	}
	const text = [describeMachine(), goalTable(results), toMarkdown(results)].join('\n\n');
	report(text);
	if (!write) return;
	const summary = `${barChart(results)}\n\nMeasured on ${describeMachine()}.`;
	for (const [file, part] of [
		[RESULT_PAGES.all, text],
		[RESULT_PAGES.summary, summary],
	] as const) {
		const page = join(repositoryFolder, file);
		await writeFile(page, putResults(await readFile(page, 'utf8'), part));
		report(`The results are in ${file}.`);
	}
});
