import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import getPort from 'get-port';

import { SandboxClient, type SimulationResult } from '../../dev/harness/sandboxClient.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { commandsIn, runCommand } from '../support/commands';
import { runCli, temporaryFile } from './support/cli.ts';
import { startReceiver } from './support/receiver.ts';

const README = 'sandbox/README.md';
const commands = commandsIn(README);
const calls = commands.filter((each) => each.startsWith('curl '));
const [script, controlCalls] = [calls.slice(0, 4), calls.slice(4)];

/** Gives the first block of a document in a language. */
const blockOf = (language: string, document: string): string =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(
		readFileSync(document, 'utf8'),
	)?.[1] ?? '';

/** Starts the sandbox as the README does, with a receiver at a port. */
function startAsShown(port: number | string) {
	const start = commands.find((each) => each.includes('--webhook-secret')) ?? '';
	const args = start.replace('8000', String(port)).split(' ').slice(2);
	return runCli(...args, '--port', '0');
}

/** Runs a call of the README, which must succeed; gives its body. */
function runCall(call: string, host: string, transactionId = ''): unknown {
	const here = call.replace('localhost:4010', host).replace('…', transactionId);
	const [status, ...lines] = runCommand(`${here} -s -w '\\n%{http_code}'`).split('\n').reverse();
	expect([call, status]).toEqual([call, expect.stringMatching(/^20[01]$/)]);
	return JSON.parse(lines.reverse().join('\n'));
}

test('the Python suite, which resets between its tests', async () => {
	const port = await getPort();
	const { host } = new URL(await startAsShown(port).url());
	const file = temporaryFile('test_cards.py');
	const code = blockOf('python', 'sandbox/testing.md')
		.replace("'127.0.0.1', 8000", `'127.0.0.1', ${port}`)
		.replace('localhost:4010', host);
	writeFileSync(file, code);
	const cwd = dirname(file);
	const { stderr } = await promisify(execFile)('python3', ['-m', 'unittest'], { cwd });
	expect(stderr).toMatch(/^Ran 3 tests .*\n\nOK\n$/m);
});

test('the curl script of the README', async () => {
	const receiver = await startReceiver();
	const cli = startAsShown(new URL(receiver.url).port);
	const { host } = new URL(await cli.url());
	const bodies: unknown[] = [];
	for (const call of script) {
		bodies.push(runCall(call, host));
		if (bodies.length === 2) await receiver.waitFor(1);
	}
	const eventId: unknown = JSON.parse(receiver.received[0]?.body ?? '');
	expect(bodies).toMatchObject([
		{ overallCreditLimit: '400000.00' },
		{ event: eventId },
		{ data: [{ url: receiver.url.replace('127.0.0.1', 'localhost') }] },
		{ data: [{ method: 'GET', path: '/balance', apiKey: 'active', status: 200 }] },
	]);
	await eventually(() => {
		const { stdout } = cli.output();
		expect(stdout).toMatch(/^GET \/v1\/public\/balance 200, \d+ ms/m);
		expect(stdout).toMatch(/^webhook declined \S+ to http:\S+: 200, attempt 1, \d+ ms$/m);
	});
});

test('the calls of the control plane and the own data work as they stand', async () => {
	const file = temporaryFile('own.json');
	writeFileSync(file, blockOf('json', 'sandbox/own.md'));
	const cli = runCli('--port', '0', '--seed', file);
	const url = await cli.url();
	const client = new SandboxClient(url);
	expect(await client.overview()).toMatchObject({
		accounts: [{ id: 1, name: 'Berlin' }],
		counts: { cards: 1, transactions: 2, payments: 1 },
	});
	let transactionId = '';
	for (const call of controlCalls) {
		const body = runCall(call, new URL(url).host, transactionId) as Partial<SimulationResult>;
		transactionId = body.transaction?.id ?? transactionId;
	}
});
