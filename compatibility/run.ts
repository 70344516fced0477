import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.ts';
import { commandLine, Option } from '../harness/tools/commandLine.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { type Program, runProgram } from '../harness/tools/program.ts';
import { installNewest } from './newest.ts';
import { insertInto, isCompatible, toMarkdown } from './report.ts';
import { testN8n, type VersionResult } from './suite.ts';
import { testedVersions } from './versions.ts';

const versions = testedVersions();
const page = join(repositoryFolder, 'docs', 'compatibility.md');

const options = commandLine(
	'npm run test:compat --',
	'Runs this package on every supported n8n. Each is installed once: about 2 GB, 3 to 5 minutes.',
)
	.addOption(
		new Option('--only <version>', 'only this n8n').choices([
			'oldest',
			...versions.map(({ version }) => version),
		]),
	)
	.addOption(
		new Option(
			'--newest',
			'only the newest n8n that installs, if it is newer than the pinned one',
		).conflicts(['only', 'write']),
	)
	.addOption(new Option('--write', 'put the table into docs/compatibility.md').conflicts('only'))
	.parse()
	.opts();

await runProgram(run);

async function run({ reporter, signal }: Program): Promise<void> {
	const results: VersionResult[] = [];
	for (const folder of await foldersToTest({ reporter, signal })) {
		await installN8n({ reporter, signal, folder });
		const result = await testN8n(folder, (text) => process.stdout.write(text), signal);
		results.push(result);
		reporter.line(toMarkdown([result]));
	}
	if (results.length === 0) return;
	reporter.line(`\n${toMarkdown(results)}`);
	for (const { n8n, parts } of results) {
		for (const { failed } of parts) {
			for (const name of failed) reporter.line(`n8n ${n8n} FAILS: ${name}`);
		}
	}
	if (options.write) await writeFile(page, insertInto(await readFile(page, 'utf8'), results));
	if (!results.every(isCompatible)) throw new Error('This package does not work on every n8n.');
	reporter.line('All checks passed.');
}

async function foldersToTest({ reporter, signal }: Omit<Program, 'cleanup'>): Promise<string[]> {
	if (options.newest === true) {
		const newest = await installNewest(reporter, signal);
		return newest === undefined ? [] : [newest];
	}
	const { only } = options;
	const wanted =
		only === 'oldest'
			? versions.slice(0, 1)
			: versions.filter(({ version }) => version === (only ?? version));
	return wanted.map(({ folder }) => folder);
}
