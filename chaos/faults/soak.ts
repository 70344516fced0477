import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { N8n } from '../../harness/n8n/n8n.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { accepts, freePort } from '../../harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { runScript, type Script } from '../queue/script.ts';
import { inspectAt, openHeap } from './heap.ts';
import { keepBusy, type Load, undelivered } from './load.ts';
import { type Sample, type Trend, trendOf } from './memory.ts';
import { createCards, type FaultySandbox, prepareSandbox } from './sandbox.ts';
import { addSoakWorkflow } from './soakWorkflow.ts';

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

await runScript(async (script) => {
	const isKept = await run(script, minutes);
	script.reporter.line(isKept ? 'Memory is flat, and nothing was lost.' : 'A promise is BROKEN.');
	return isKept;
});

async function run({ reporter, cleanup }: Script, minutes: number): Promise<boolean> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-soak-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const server = await startInspectedSandbox(folder, cleanup);
	const sandbox = await prepareSandbox(server);
	const cards = await createCards(sandbox, cardCount);
	const n8nPort = await freePort();
	const n8n = await startN8n(folder, cleanup, inspectAt(n8nPort));
	const webhookUrl = await addSoakWorkflow(n8n, sandbox);

	const load: Load = { events: [], forged: new Map() };
	const heaps = { n8n: await openHeap(n8nPort), sandbox: await openHeap(server.inspectorPort) };
	cleanup.defer(() => Object.values(heaps).forEach((heap) => heap.close()));
	const samples: Record<keyof typeof heaps, Sample[]> = { n8n: [], sandbox: [] };
	const over = new AbortController();
	const busy = keepBusy(load, sandbox, webhookUrl, cards, over.signal);
	await Promise.race([busy, untilWarm(load, sandbox)]);
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
	const lost = await undelivered(load, sandbox);
	const forged = [...load.forged].map(([status, count]) => `HTTP ${status}: ${count}`).join(', ');
	reporter.line(`${load.events.length} events, ${lost} lost; forged deliveries: ${forged}`);
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
async function untilWarm(load: Load, sandbox: FaultySandbox): Promise<void> {
	const probe = () => (load.events.length >= warmUpEvents ? true : undefined);
	await waitUntil(probe, { what: 'the first events', withinMs: 600_000 });
	await undelivered({ ...load, events: load.events.slice(0, warmUpEvents) }, sandbox);
}

async function startInspectedSandbox(folder: string, cleanup: Cleanup) {
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

async function startN8n(folder: string, cleanup: Cleanup, option: string): Promise<N8n> {
	const userFolder = join(folder, 'n8n');
	await packAndInstall(userFolder);
	const n8n = await N8n.prepare({ userFolder, settings: { NODE_OPTIONS: option } });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	return n8n;
}

function describe(name: string, { meanMb, mbPerMinute, growth }: Trend): string {
	const slope = `${mbPerMinute.toFixed(2)} MB a minute`;
	return `   ${name.padEnd(8)} ${meanMb.toFixed(0).padStart(4)} MB, ${slope} (${(growth * 100).toFixed(1)} % in all)`;
}
