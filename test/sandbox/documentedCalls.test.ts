import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

import { eventually } from '../../dev/harness/tools/waiting.ts';
import {
	type Delivery,
	type LoggedExchange,
	SandboxClient,
	type SimulationResult,
} from '../../sandbox/client.ts';
import { commandsIn, runCommand } from '../support/commands';
import { runCli, temporaryFile } from './support/cli.ts';
import { startReceiver } from './support/receiver.ts';

const README = 'sandbox/README.md';
const text = readFileSync(README, 'utf8');
const block = (language: string) =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';

const commands = commandsIn(README);
const calls = commands.filter((each) => each.startsWith('curl '));

/** The arguments of the start that the walk-through shows. */
const shown = (commands.find((each) => each.includes('--webhook-secret')) ?? '')
	.split(' ')
	.slice(2);

/** Runs a call of the README; gives its body. */
function run(call: string, host: string, transactionId = ''): unknown {
	const here = call.replace('localhost:4010', host).replace('…', transactionId);
	const [status, ...lines] = runCommand(`${here} -s -w '\\n%{http_code}'`).split('\n').reverse();
	expect([call, status]).toEqual([call, expect.stringMatching(/^20[01]$/)]);
	return JSON.parse(lines.reverse().join('\n'));
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The receiver of the README in Python or, where there is none, one that accepts everything. */
async function startShownReceiver() {
	if (!hasPython) return { port: new URL((await startReceiver()).url).port, end: () => undefined };
	const probe = createServer();
	await once(probe.listen(0, '127.0.0.1'), 'listening');
	const port = String((probe.address() as { port: number }).port);
	await once(probe.close(), 'close');
	const file = temporaryFile('receiver.py');
	writeFileSync(file, block('python'));
	const python = spawn('python3', [file, port], { stdio: ['ignore', 'pipe', 'ignore'] });
	let output = '';
	python.stdout.on('data', (data) => (output += String(data)));
	await eventually(() => expect(fetch(`http://127.0.0.1:${port}`)).resolves.toBeDefined());
	const end = async () => {
		await eventually(() => expect(output).toMatch(/^verified 18.40 .*insufficient_funds/));
		python.kill();
	};
	return { port, end };
}

test('the walk-through: fixed key and secret, a verified delivery, requests as JSON', async () => {
	expect(block('python')).toContain(`b'${shown.at(-1) ?? ''}'`);
	const { port, end } = await startShownReceiver();
	const cli = runCli(...shown.map((each) => each.replace('8000', port)), '--port', '0');
	const { host } = new URL(await cli.url());
	const [balance = '', decline = '', deliveries = '', requests = ''] = calls;
	expect(run(balance, host)).toMatchObject({ overallCreditLimit: '400000.00' });
	const { event } = run(decline, host) as SimulationResult;
	await end();
	expect((run(deliveries, host) as { data: Delivery[] }).data).toMatchObject([
		{ eventId: event.id, url: `http://localhost:${port}/hook` },
	]);
	expect((run(requests, host) as { data: LoggedExchange[] }).data).toMatchObject([
		{ method: 'GET', path: '/balance', apiKey: 'active', status: 200 },
	]);
	await eventually(() => {
		const { stdout } = cli.output();
		expect(stdout).toMatch(/^GET \/v1\/public\/balance 200, \d+ ms$/m);
		expect(stdout).toMatch(/^webhook declined \S+ to http:\S+: 20[04], attempt 1, \d+ ms$/m);
	});
});

test('the calls of the control plane and the own data work as they stand', async () => {
	const file = temporaryFile('own.json');
	writeFileSync(file, block('json'));
	const cli = runCli('--port', '0', '--seed', file, '--quiet');
	const url = await cli.url();
	const client = new SandboxClient(url);
	expect(await client.overview()).toMatchObject({
		accounts: [{ id: 1, name: 'Berlin' }],
		counts: { cards: 1, transactions: 2, payments: 1 },
	});
	await fetch(`${url}/sandbox/reset`, { method: 'POST' });
	let transactionId = '';
	for (const call of calls.slice(4)) {
		const body = run(call, new URL(url).host, transactionId) as Partial<SimulationResult>;
		transactionId = body.transaction?.id ?? transactionId;
	}
});
