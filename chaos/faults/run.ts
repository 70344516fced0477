import { join } from 'node:path';

import { startPackedN8n } from '../../harness/n8n/n8n.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { attachSandbox } from '../../harness/scenario/sandboxFixture.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { type CheckContext, runCheck } from '../lib/check.ts';
import { runFreezes, runTransfers } from './lists.ts';
import { createCards, creditLimits } from './sandbox.ts';

const options = commandLine(
	'npm run test:faults --',
	'Transfers and freezes while every fifth request fails, in a real n8n.',
)
	.option('--items <number>', 'how many transfers, and how many freezes', integer(1), 500)
	.parse()
	.opts();

await runCheck('faults', run);

async function run(context: CheckContext): Promise<boolean> {
	const { reporter, folder, cleanup } = context;
	const server = await startSandbox({ db: join(folder, 'sandbox.db') });
	cleanup.defer(() => server.close());
	const before = await creditLimits(server);
	const company = await attachSandbox(server, 'customer');
	const cards = await createCards(company, options.items);
	const n8n = await startPackedN8n(context);
	const credential = await addApiCredential(n8n, company);

	const lists = { n8n, company, credential, reporter };
	const isMoved = await runTransfers(lists, options.items);
	const isFrozen = await runFreezes(lists, cards);
	// With as many different transfers as items, one more would make the sum larger.
	const sum = (options.items * (options.items + 1)) / 2;
	const after = await creditLimits(server);
	const gains = after.map((limit, index) => limit - (before[index] ?? 0));
	const isSumRight = gains.join() === [-sum, sum].join();
	reporter.line(
		`Balances: differ by exactly the sum of all transfers: ${isSumRight ? 'yes' : 'NO'}`,
	);
	return isMoved && isFrozen && isSumRight;
}
