import { parseArgs } from 'node:util';
import { Problem } from '../../harness/tools/problem.ts';
import { type Answer, readAnswer } from './countingWorkflow.ts';

export interface QueueOptions {
	events: number;
	answer: Answer;
	/** Install Redis first, where it is missing. */
	install: boolean;
	help: boolean;
}

export const usage = `n8n in queue mode on this machine: Redis, PostgreSQL, one main process, two webhook processors, two
workers. Sends signed card events with 5 % duplicates, kills a worker and a webhook processor in the middle, and
counts what the workflow has really done for each event.

  npm run test:queue                     10 000 events
  npm run test:queue -- --events 500     fewer of them, as in CI
  npm run test:queue -- --install        installs redis-server with apt-get first, where it is missing
  npm run test:queue -- --answer at-once the trigger answers before the workflow has run: shows what a killed
                                         worker loses then (exit code 1)

Needs redis-server on the PATH, and npm ci; n8n is installed by "node harness/n8n/install.ts".`;

/** Reads the command line. Throws a {@link Problem} when it makes no sense. */
export function readOptions(args: string[]): QueueOptions {
	try {
		const { values } = parseArgs({
			args,
			options: {
				events: { type: 'string', default: '10000' },
				answer: { type: 'string', default: 'at-the-end' },
				install: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		});
		const { install, help } = values;
		return { events: readCount(values.events), answer: readAnswer(values.answer), install, help };
	} catch (error) {
		if (error instanceof Problem) throw error;
		throw new Problem(error instanceof Error ? error.message : String(error), usage);
	}
}

function readCount(text: string): number {
	const count = Number(text);
	if (Number.isInteger(count) && count >= 100) return count;
	throw new Problem(`--events ${text} is no number of events`, 'Give a whole number from 100 on.');
}
