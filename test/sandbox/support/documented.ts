import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { eventually } from '../../../dev/harness/tools/waiting.ts';
import { commandsIn, runCommand } from '../../support/commands';
import { runCli, temporaryFile } from './cli.ts';
import { startReceiver } from './receiver.ts';

const README = 'sandbox/README.md';
const commands = commandsIn(README);
const calls = commands.filter((each) => each.startsWith('curl '));
const script = calls.slice(0, 4);

/** The calls that the README's part about the control plane shows. */
export const controlCalls = calls.slice(4);

/** Gives the first block of a document in a language. */
export const blockOf = (language: string, text = readFileSync(README, 'utf8')): string =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';

/** Starts the sandbox as the README does, with a receiver at a port. */
function startAsShown(port: string) {
	const start = commands.find((each) => each.includes('--webhook-secret')) ?? '';
	const args = start.replace('8000', port).split(' ').slice(2);
	return runCli(...args, '--port', '0');
}

async function freePort(): Promise<string> {
	const probe = createServer();
	await once(probe.listen(0, '127.0.0.1'), 'listening');
	const address = probe.address();
	await once(probe.close(), 'close');
	return String(address !== null && typeof address === 'object' ? address.port : 0);
}

/** Runs the README's Python suite, with a pause in seconds after each reset. */
export async function runPythonSuite(seconds: number): Promise<void> {
	const port = await freePort();
	const { host } = new URL(await startAsShown(port).url());
	const file = temporaryFile('test_cards.py');
	const code = blockOf('python')
		.replace("'127.0.0.1', 8000", `'127.0.0.1', ${port}`)
		.replace('localhost:4010', host);
	const paused = code.replace(
		/^( +)call\('POST', '\/sandbox\/reset'\)$/m,
		`$&\n$1import time; time.sleep(${seconds})`,
	);
	expect(paused).not.toBe(code);
	writeFileSync(file, paused);
	const { stderr } = await promisify(execFile)('python3', ['-m', 'unittest'], {
		cwd: dirname(file),
	});
	expect(stderr).toMatch(/^Ran 3 tests .*\n\nOK\n$/m);
}

/** Runs a call of the README, which must succeed; gives its body. */
export function runCall(call: string, host: string, transactionId = ''): unknown {
	const here = call.replace('localhost:4010', host).replace('…', transactionId);
	const [status, ...lines] = runCommand(`${here} -s -w '\\n%{http_code}'`).split('\n').reverse();
	expect([call, status]).toEqual([call, expect.stringMatching(/^20[01]$/)]);
	return JSON.parse(lines.reverse().join('\n'));
}

/** Runs the README's curl script, with a pause in seconds after each call. */
export async function runCurlScript(seconds: number): Promise<void> {
	const receiver = await startReceiver();
	const cli = startAsShown(new URL(receiver.url).port);
	const { host } = new URL(await cli.url());
	const bodies: unknown[] = [];
	for (const call of script) {
		bodies.push(runCall(call, host));
		if (seconds > 0) await pause(seconds * 1_000);
		if (bodies.length === 2) await receiver.waitFor(1);
	}
	const eventId: unknown = JSON.parse(String(receiver.received[0]?.body));
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
}
