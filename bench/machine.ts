import { cpus, totalmem } from 'node:os';

import { n8nIn } from '../harness/n8n/version.ts';
import { n8nFolder } from '../harness/tools/paths.ts';

/** What figures depend on; nothing that names the machine. */
export interface Machine {
	cores: number;
	processor: string;
	/** In GB (10⁹ bytes). */
	memoryGb: number;
	node: string;
	n8n: string;
	/** YYYY-MM-DD. */
	date: string;
}

/** Looks at this machine. n8n runs on the same version of Node.js as the bench. */
export function describeMachine(): Machine {
	const [processor] = cpus();
	return {
		cores: cpus().length,
		processor: processor?.model.trim() ?? 'unknown',
		memoryGb: Math.round(totalmem() / 1e9),
		node: process.versions.node,
		n8n: n8nIn(n8nFolder).n8n,
		date: new Date().toISOString().slice(0, 10),
	};
}
