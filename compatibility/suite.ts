import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { n8nIn } from '../harness/n8n/version.ts';
import { n8nVariable, repositoryFolder } from '../harness/tools/paths.ts';
import { runProcess } from '../harness/tools/processes.ts';

/** What every supported n8n has to do, and the files below test/, without .n8n.test.ts, that test it. */
export const parts: readonly { title: string; files: readonly string[] }[] = [
	{
		title: 'Every operation, and the node as a tool',
		files: ['actions/operations', 'package/nodeTypes'],
	},
	{ title: 'Every way in which a request can fail', files: ['actions/failures'] },
	{ title: 'Error output and On Error', files: ['actions/errorOutput'] },
	{ title: 'Card picker', files: ['actions/cardPicker'] },
	{
		title: 'Transfers once: retries, sub-workflows, MCP, agents',
		files: ['transfers/transfers'],
	},
	{
		title: 'Trigger: genuine and forged deliveries (156 in two tests)',
		files: ['trigger/deliveries'],
	},
	{
		title: 'Trigger: duplicates, filters, responses, rotation, crash',
		files: ['trigger/trigger'],
	},
	{ title: 'Polling Trigger', files: ['polling/polling', 'polling/pollingFailures'] },
	{
		title: 'Credentials and their tests',
		files: ['credentials/credentialTest', 'credentials/borrowedCredential'],
	},
	{ title: 'First workflow of the README', files: ['workflows/firstWorkflow'] },
	{ title: 'Ready-made workflows', files: ['workflows/[a-z-]+'] },
];

/** What became of the tests of a part on one n8n. */
export interface PartResult {
	title: string;
	passed: number;
	/** The names of those that failed. */
	failed: string[];
	/** The names of those that do not apply to this n8n. */
	skipped: string[];
}

/** What became of all tests on one n8n. */
export interface VersionResult {
	n8n: string;
	/** The major version of Node.js that it ran on. */
	node: string;
	parts: PartResult[];
}

const reportSchema = z.object({
	testResults: z.array(
		z.object({
			name: z.string(),
			status: z.string(),
			message: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
		}),
	),
});

/** What jest reports of a file. */
export type FileReport = z.infer<typeof reportSchema>['testResults'][number];

/** Matches the test files of a part. */
export const patternOf = (files: readonly string[]) =>
	`test/(${files.join('|')})\\.n8n\\.test\\.ts$`;

/**
 * Runs the tests of all parts on the n8n that is installed in `folder`; `onOutput` gets what they print.
 * Throws if they do not run to the end.
 */
export async function testN8n(
	folder: string,
	onOutput: (text: string) => void,
	signal: AbortSignal,
): Promise<VersionResult> {
	const results = await mkdtemp(join(tmpdir(), 'card-platform-compatibility-'));
	const outputFile = join(results, 'results.json');
	const jest = join(repositoryFolder, 'node_modules', 'jest', 'bin', 'jest.js');
	const pattern = patternOf(parts.flatMap(({ files }) => files));
	const args = ['--selectProjects', 'n8n', '--maxWorkers', '2', '--testPathPatterns', pattern];
	try {
		const env = { ...process.env, [n8nVariable]: folder };
		const report = ['--json', '--outputFile', outputFile];
		const run = runProcess(process.execPath, [jest, ...args, ...report], {
			cwd: repositoryFolder,
			env,
			signal,
			onOutput,
		});
		// It also ends so when tests have failed; only without a report something else went wrong.
		const failure = await run.then(() => undefined).catch((error: unknown) => error);
		signal.throwIfAborted();
		const text = await readFile(outputFile, 'utf8').catch(() => {
			throw failure;
		});
		const { testResults } = reportSchema.parse(JSON.parse(text));
		return { ...n8nIn(folder), parts: parts.map((part) => resultOf(part, testResults)) };
	} finally {
		await rm(results, { recursive: true, force: true });
	}
}

/** Sums up what jest reported of the files of a part. */
export function resultOf(
	{ title, files }: (typeof parts)[number],
	reports: readonly FileReport[],
): PartResult {
	const pattern = new RegExp(patternOf(files));
	const own = reports.filter(({ name }) => pattern.test(name.replaceAll('\\', '/')));
	const tests = own.flatMap(({ assertionResults }) => assertionResults);
	const named = (status: string) =>
		tests.filter((each) => each.status === status).map(({ fullName }) => fullName);
	// A file also fails when it cannot be loaded, or when what comes after its tests fails.
	const broken = own.filter(
		(file) =>
			file.status === 'failed' && !file.assertionResults.some((each) => each.status === 'failed'),
	);
	return {
		title,
		passed: named('passed').length,
		failed: [...named('failed'), ...broken.map(({ message }) => message)],
		skipped: named('pending'),
	};
}
