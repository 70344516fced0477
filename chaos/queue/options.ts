import { commandLine, integer, Option } from '../../harness/tools/commandLine.ts';
import type { ResponseMode } from './countingWorkflow.ts';

/** `--respond`: when the trigger responds, and n8n's response mode for it. */
const modes = { 'last-node': 'lastNode', immediately: 'onReceived' } as const;

/** An option that chooses when the trigger responds; see {@link responseModeOf}. */
export const respondOption = new Option(
	'--respond <when>',
	'when the trigger responds; immediately shows what a crash loses then (exit code 1)',
)
	.choices(['last-node', 'immediately'] as const)
	.default('last-node' as const);

/** n8n's response mode for a choice of {@link respondOption}. */
export const responseModeOf = (when: keyof typeof modes): ResponseMode => modes[when];

/** Reads the command line. Ends the program after `--help`, and if an option is invalid. */
export function readOptions(args: readonly string[]) {
	const { respond, ...options } = commandLine(
		'npm run test:queue --',
		`n8n in queue mode on this machine: Redis, PostgreSQL, one main process, two webhook processors, two
workers. Sends signed card events with 5 % duplicates, kills a worker and a webhook processor during that,
and counts what the workflow has really done for each event. Then polls for events whose deliveries were
dropped, in a workflow with both triggers, and submits the form of "Freeze every card" in a browser. Needs
redis-server on the PATH, and npm ci.`,
	)
		.option('--events <number>', 'how many events', integer(100), 10_000)
		.option('--install', 'install redis-server with apt-get first, if it is missing')
		.addOption(respondOption)
		.parse(args, { from: 'user' })
		.opts();
	return { ...options, responseMode: responseModeOf(respond) };
}

export type QueueOptions = ReturnType<typeof readOptions>;
