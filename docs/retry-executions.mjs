// Lists the executions of one workflow that failed or crashed in an outage, and retries them one by one.
// scaling.md says when ("After an outage"). Needs Node.js 20, which every n8n has, and nothing else:
//
//   N8N_API_KEY=… node retry-executions.mjs --n8n http://localhost:5678 --workflow <ID> --since 2026-01-31T09:30Z [--retry]

import { parseArgs } from 'node:util';

const usage =
	'N8N_API_KEY=<key> node retry-executions.mjs --n8n <address> --workflow <ID> --since <time> [--retry]';

const { values } = parseArgs({
	options: {
		n8n: { type: 'string' },
		workflow: { type: 'string' },
		since: { type: 'string' },
		retry: { type: 'boolean', default: false },
	},
});
const key = process.env.N8N_API_KEY;
const since = Date.parse(values.since ?? '');
if (!key || !values.n8n || !values.workflow || Number.isNaN(since)) {
	console.error(`Usage: ${usage}\nTime: with its time zone, such as 2026-01-31T09:30Z.`);
	process.exit(2);
}

async function call(path, init) {
	const headers = { 'X-N8N-API-KEY': key, 'Content-Type': 'application/json' };
	const response = await fetch(new URL(`/api/v1/executions${path}`, values.n8n), {
		...init,
		headers,
	});
	const body = await response.json().catch(() => ({}));
	if (!response.ok) throw new Error(`${response.status} ${body.message ?? ''}`);
	return body;
}

/** An execution that n8n itself marked as crashed has stopped when n8n noticed; some of them have no start. */
async function failedExecutions() {
	const found = [];
	let cursor = '';
	do {
		const query = new URLSearchParams({ workflowId: values.workflow, limit: '250', cursor });
		if (cursor === '') query.delete('cursor');
		const { data, nextCursor } = await call(`?${query}`);
		found.push(...data);
		cursor = nextCursor;
	} while (cursor);
	return found
		.filter(({ status }) => status === 'crashed' || status === 'error')
		.filter(({ mode, retrySuccessId }) => mode !== 'manual' && mode !== 'retry' && !retrySuccessId)
		.filter(({ stoppedAt, startedAt }) => Date.parse(stoppedAt ?? startedAt) >= since)
		.reverse();
}

const executions = await failedExecutions();
let failures = 0;
for (const { id, status, stoppedAt } of executions) {
	if (!values.retry) {
		console.log(`${id} ${status} ${stoppedAt}`);
		continue;
	}
	const result = await call(`/${id}/retry`, { method: 'POST', body: '{}' }).then(
		(retried) => retried.status,
		(error) => error.message,
	);
	if (result !== 'success') failures++;
	console.log(`${id} ${status} -> ${result}`);
}
console.log(
	values.retry
		? `${executions.length - failures} of ${executions.length} executions were retried successfully.`
		: `${executions.length} executions failed or crashed. With --retry, they are retried.`,
);
process.exitCode = failures === 0 ? 0 : 1;
