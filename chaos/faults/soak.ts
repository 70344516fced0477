import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startPackedN8n } from '../../harness/n8n/n8n.ts';
import {
	cardNode,
	cardPlatform,
	triggerNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { addApiCredential, addAutomation } from '../../harness/scenario/automation.ts';
import { attachSandbox, type SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import type { RunContext } from '../../harness/tools/folders.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { accepts, freePort } from '../../harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { type CheckContext, runCheck } from '../lib/check.ts';
import { countsOf } from '../lib/table.ts';
import { inspectAt, openHeap } from './heap.ts';
import { countUndelivered, keepBusy, type Load } from './load.ts';
import { type Sample, type Trend, trendOf } from './memory.ts';
import { createCards } from './sandbox.ts';

const cardCount = 50;
const sampleEveryMs = 5_000;

/** Fewer looks make no trend: where each takes a busy machine long, the soak takes longer. */
const leastSamples = 12;

/** What n8n loads and compiles for its first events is no leak; counted, as a busy machine is slow at it. */
const warmUpEvents = 50;

/** By so much the low points may rise; a short time is mostly warming up. */
const mostGrowth = { long: 0.05, short: 0.1 };
const longMinutes = 5;

const { minutes } = commandLine(
	'npm run soak --',
	'Card events, card reads, freezes and forged deliveries for a while, in a real n8n; looks at its memory.',
)
	.option('--minutes <number>', 'how long; 1 is too short to see a slow leak', integer(1), 10)
	.parse()
	.opts();

await runCheck('soak', run);

async function run(context: CheckContext): Promise<boolean> {
	const { reporter, cleanup } = context;
	const server = await startInspectedSandbox(context);
	const company = await attachSandbox(server, 'customer');
	const cards = await createCards(company, cardCount);
	const n8nPort = await freePort();
	const n8n = await startPackedN8n(context, { NODE_OPTIONS: inspectAt(n8nPort) });
	const credentials = { [cardPlatform.action]: await addApiCredential(n8n, company) };
	const workflow = readAndFreeze();
	const { webhookUrl } = await addAutomation(n8n, company, workflow, { credentials });

	const load: Load = { events: [], forged: new Map() };
	const heaps = { n8n: await openHeap(n8nPort), sandbox: await openHeap(server.inspectorPort) };
	cleanup.defer(() => Object.values(heaps).forEach((heap) => heap.close()));
	const samples: Record<keyof typeof heaps, Sample[]> = { n8n: [], sandbox: [] };
	const over = new AbortController();
	const busy = keepBusy(load, company, webhookUrl, cards, over.signal);
	await Promise.race([busy, untilWarm(load, company)]);
	const started = performance.now();
	const isOver = () =>
		performance.now() - started > minutes * 60_000 && samples.n8n.length >= leastSamples;
	while (!isOver()) {
		const atMs = performance.now() - started;
		samples.n8n.push({ atMs, mb: await heaps.n8n.collectedMb() });
		samples.sandbox.push({ atMs, mb: await heaps.sandbox.collectedMb() });
		reporter.progress(`${Math.round(atMs / 1000)} s, ${load.events.length} events`);
		await pause(sampleEveryMs);
	}
	over.abort();
	await busy;
	const lost = await countUndelivered(load.events, company);
	reporter.line(
		`${load.events.length} events, ${lost} lost; forged deliveries, by HTTP status: ${countsOf(load.forged)}`,
	);
	const allowed = minutes >= longMinutes ? mostGrowth.long : mostGrowth.short;
	const trends = Object.entries(samples).map(([name, each]): [string, Trend] => [
		name,
		trendOf(each),
	]);
	for (const [name, trend] of trends) reporter.line(describe(name, trend));
	const isFlat = trends.every(([, { growth }]) => growth <= allowed);
	return isFlat && lost === 0 && [...load.forged.keys()].join() === '401';
}

/** Waits until the first events have been dealt with. */
async function untilWarm({ events }: Load, company: SandboxFixture): Promise<void> {
	const isEnough = () => events.length >= warmUpEvents;
	await waitUntil(isEnough, { what: 'the first events', withinMs: 600_000 });
	await countUndelivered(events.slice(0, warmUpEvents), company);
}

/** Makes a workflow that reads the card of each event and freezes it. */
function readAndFreeze(): Workflow {
	const cardId = { __rl: true, mode: 'id', value: "={{ $('Trigger').item.json.cardId }}" };
	return workflowOf('Read and freeze', [
		triggerNode('Trigger', undefined, { responseMode: 'lastNode' }),
		cardNode('Read', { resource: 'card', operation: 'get', cardId }),
		cardNode('Freeze', { resource: 'card', operation: 'freeze', cardId }),
	]);
}

/** Starts the sandbox in a separate process, whose memory can be inspected. */
async function startInspectedSandbox({ folder, cleanup }: RunContext) {
	const port = await freePort();
	const script = join(repositoryFolder, 'sandbox', 'cli.ts');
	const args = ['--port', String(port), '--db', join(folder, 'sandbox.db')];
	const inspectorPort = await freePort();
	const child = startProcess(process.execPath, [inspectAt(inspectorPort), script, ...args]);
	cleanup.defer(() => stopProcess(child));
	await waitUntil(() => accepts(port), { what: 'the sandbox', withinMs: 60_000 });
	const url = `http://127.0.0.1:${port}`;
	return { inspectorPort, url, apiUrl: `${url}/v1/public` };
}

function describe(name: string, { meanMb, mbPerMinute, growth }: Trend): string {
	const slope = `${mbPerMinute.toFixed(2)} MB a minute`;
	return `   ${name.padEnd(8)} ${meanMb.toFixed(0).padStart(4)} MB, ${slope} (${(growth * 100).toFixed(1)} % in all)`;
}
