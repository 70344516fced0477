import { startBenchN8n } from '../n8n/start.ts';
import type { Suite } from '../suite.ts';
import { startServer } from '../server/start.ts';
import { measureActions } from './actions.ts';
import { measureExport } from './export.ts';
import { measureGrowth } from './growth.ts';
import type { ApiBench } from './measure.ts';
import { apiWorkflows, credentialsFor } from './workflows.ts';

const parts = { export: measureExport, growth: measureGrowth, actions: measureActions };

/** What the action node does: export, growth, actions. All against one small API, in one n8n. */
export const apiSuite: Suite = {
	parts: Object.keys(parts),
	async measure(context, benchSize, wanted) {
		const server = await startServer(context);
		const workflows = apiWorkflows(server.apiUrl);
		const n8n = await startBenchN8n(context, {
			name: 'api',
			credentials: credentialsFor(server.apiUrl),
			workflows: Object.values(workflows).map(({ workflow }) => workflow),
		});
		const bench: ApiBench = { context, server, workflows, n8n };
		const results = [];
		for (const [name, measure] of Object.entries(parts)) {
			if (wanted.has(name)) results.push(await measure(bench, benchSize));
		}
		await n8n.stop();
		return results;
	},
};
