import { readFileSync, writeFileSync } from 'node:fs';

import { SandboxClient, type SimulationResult } from '../../sandbox/client.ts';
import { runCli, temporaryFile } from './support/cli.ts';
import {
	blockOf,
	controlCalls,
	runCall,
	runCurlScript,
	runPythonSuite,
} from './support/documented.ts';

test(
	'the Python suite of the README, which resets between its tests',
	() => runPythonSuite(0),
	60_000,
);

test('the curl script of the README', () => runCurlScript(0));

test('the calls of the control plane and the own data work as they stand', async () => {
	const file = temporaryFile('own.json');
	writeFileSync(file, blockOf('json', readFileSync('sandbox/own.md', 'utf8')));
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
