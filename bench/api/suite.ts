import { startBenchN8n } from '../n8n/start.ts';
import { startServer } from '../server/start.ts';
import type { Suite } from '../suite.ts';
import { plainAccess, remoteAccess } from './access.ts';
import { measureActions } from './actions.ts';
import { measureExport } from './export.ts';
import { measureGrowth } from './growth.ts';
import { measureLists } from './lists.ts';
import type { ApiBench } from './measure.ts';
import { measureRateLimit } from './rateLimit.ts';
import { headerAuth } from './workflows.ts';

const parts = {
	export: measureExport,
	growth: measureGrowth,
	lists: measureLists,
	actions: measureActions,
	'rate-limit': measureRateLimit,
};

/** What the action node does. All against one small API, in one n8n. */
export const apiSuite: Suite = {
	parts: Object.keys(parts),
	async measure(context, benchSize, wanted) {
		const server = await startServer(context);
		const plain = plainAccess(server);
		const remote = await remoteAccess(context, server);
		const accesses = [plain, remote];
		const n8n = await startBenchN8n(context, {
			name: 'api',
			credentials: [
				headerAuth,
				...accesses.flatMap(({ credentials: { byDefault, eager } }) => [byDefault, eager]),
			],
			workflows: accesses.flatMap(({ workflows }) =>
				Object.values(workflows).map(({ workflow }) => workflow),
			),
			settings: { NODE_EXTRA_CA_CERTS: server.certificateFile },
		});
		const bench: ApiBench = { context, server, plain, remote, n8n };
		const results = [];
		for (const [name, measure] of Object.entries(parts)) {
			if (wanted.has(name)) results.push(await measure(bench, benchSize));
		}
		await n8n.stop();
		return results;
	},
};
