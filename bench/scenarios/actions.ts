import { assert } from '../../harness/tools/errors.ts';
import {
	checkTheLog,
	type Network,
	runFully,
	startActionBench,
	wholeWorkflow,
} from '../actionRuns.ts';
import type { Contender, Scenario } from '../scenario.ts';
import { cardIdOf } from '../server/data.ts';

/** Many cards frozen, one item each. */
export const actions: Scenario = {
	name: 'actions',
	async plan(context) {
		const bench = await startActionBench(context);
		const { server, plain, tls } = bench;
		const count = context.quick ? 20 : 1_000;
		const cards = Array.from({ length: count }, (_, index) => cardIdOf(index));

		const contendersOf = ({ tasks, settingOf }: Network, latencyMs: number): Contender[] =>
			[tasks.freezeOurs, tasks.freezeHttp].map((task) => ({
				setting: settingOf(latencyMs),
				name: task.name,
				async run() {
					const work = () => runFully(bench, task, { cards }, count);
					const { result, usage } = await server.during({ latencyMs }, work);
					const message = `${task.name} froze ${usage.frozen} cards, not ${count}`;
					assert(usage.frozen === count, message, checkTheLog);
					return result;
				},
			}));
		const [ours, http] = [plain.tasks.freezeOurs.name, plain.tasks.freezeHttp.name];
		const usual = plain.settingOf(20);
		return {
			title: `Actions: ${count} cards frozen, one item each`,
			about:
				'This node limits the requests in flight (*Max Concurrent Requests* of its credential) and retries failed requests. The HTTP Request node sends all requests at the same moment, and retries nothing.',
			rounds: 3,
			measures: [wholeWorkflow],
			reference: ours,
			contenders: [
				...contendersOf(plain, 0),
				...contendersOf(plain, 20),
				...contendersOf(plain, 100),
				...contendersOf(tls, 20),
			],
			ifMissed:
				'What is left is n8n’s own work for each request, which both nodes pay, and the waiting that Max Concurrent Requests causes.',
			goals: (medianOf) => [
				{
					says: `times faster than HTTP Request: ${usual}`,
					value: medianOf(usual, http, wholeWorkflow) / medianOf(usual, ours, wholeWorkflow),
					bound: 'at least',
					wanted: 1.35,
				},
			],
		};
	},
};
