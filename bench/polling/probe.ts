import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { createAdditionalData, createNode, knownNodeTypes } from '../../harness/core/runNode.ts';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node.ts';
import { toBenchServer } from '../server/control.ts';

const MINUTE = 60_000;

const [url = '', apiKey = '', cards = '', latencyMs = '', polls = ''] = process.argv.slice(2);
const { apiUrl, set } = toBenchServer(url);

// The API's clock and that of the node pass from minute to minute together, as nobody waits for them.
const started = Date.now();
const start = Date.UTC(2026, 10, 1);
let minutes = 0;
const realNow = Date.now;
Date.now = () => realNow() - started + start + minutes * MINUTE;

async function setClock() {
	const now = start + minutes * MINUTE;
	const activity = { cards: Number(cards), now };
	const { requests } = await set({ transactions: 1, latencyMs: Number(latencyMs), activity });
	return { now, requests };
}

const node = createNode('cardPlatformPollingTrigger', { events: ['all'] });
const workflow = new Workflow({
	id: 'bench',
	nodes: [node],
	connections: {},
	active: true,
	nodeTypes: knownNodeTypes,
});
const credentials = credentialsFor(apiUrl, { apiKey });
const context = new PollContext(
	workflow,
	node,
	createAdditionalData(credentials),
	'trigger',
	'activate',
	() => undefined,
);
const trigger = new CardPlatformPollingTrigger();

/** Polls once; gives when, how many events it found, and what that took. */
async function poll() {
	const { now } = await setClock();
	const startedAt = performance.now();
	const output = await trigger.poll.call(context);
	const tookMs = performance.now() - startedAt;
	const { requests } = await setClock();
	minutes++;
	return { now, events: output?.[0]?.length ?? 0, tookMs, requests };
}

const state = () => JSON.stringify(workflow.getStaticData('node', node));

const first = [];
do first.push(await poll());
while (state().includes('"baseline":{'));

const later = [];
while (later.length < Number(polls)) later.push(await poll());

process.stdout.write(JSON.stringify({ first, later, storedBytes: state().length }));
