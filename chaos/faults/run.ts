import { join } from 'node:path';

import { startPackedN8n } from '../../harness/n8n/n8n.ts';
import { addApiCredential, addAutomation } from '../../harness/scenario/automation.ts';
import { attachSandbox } from '../../harness/scenario/sandboxFixture.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { startBalancer } from '../lib/balancer.ts';
import { type CheckContext, runCheck } from '../lib/check.ts';
import { startCounter } from '../lib/counter.ts';
import { countingWorkflow, respondOption, responseModeOf } from '../lib/countingWorkflow.ts';
import { deliverThroughCrashes } from './crash.ts';
import { runFreezes, runTransfers } from './lists.ts';
import { createCards, creditLimits, deliveries } from './sandbox.ts';

const options = commandLine(
	'npm run test:faults --',
	'Transfers and freezes while every fifth request fails, and deliveries while n8n is killed, in a real n8n.',
)
	.option('--items <number>', 'how many transfers, and how many freezes', integer(1), 500)
	.option('--deliveries <number>', 'how many deliveries', integer(3), 1_000)
	.addOption(respondOption)
	.parse()
	.opts();

await runCheck('faults', run);

async function run(context: CheckContext): Promise<boolean> {
	const { reporter, folder, cleanup } = context;
	const server = await startSandbox({ db: join(folder, 'sandbox.db'), deliveries });
	cleanup.defer(() => server.close());
	const before = await creditLimits(server);
	const company = await attachSandbox(server, 'customer');
	const counter = await startCounter(50, cleanup);
	const cards = await createCards(company, options.items);
	const n8n = await startPackedN8n(context);
	const credential = await addApiCredential(n8n, company);
	const workflow = countingWorkflow(counter, responseModeOf(options.respond));
	const { url: publicUrl } = await startBalancer([n8n.url], cleanup);
	const automation = await addAutomation(n8n, company, workflow, { credentials: {}, publicUrl });

	const lists = { n8n, company, credential, reporter };
	const isMoved = await runTransfers(lists, options.items);
	const isDelivered = await deliverThroughCrashes(
		reporter,
		n8n,
		company,
		automation.endpointId,
		cards[0] ?? '',
		counter,
		options.deliveries,
	);
	const isFrozen = await runFreezes(lists, cards);
	// With as many different transfers as items, one more would make the sum larger.
	const sum = (options.items * (options.items + 1)) / 2;
	const after = await creditLimits(server);
	const gains = after.map((limit, index) => limit - (before[index] ?? 0));
	const isSumRight = gains.join() === [-sum, sum].join();
	reporter.line(
		`Balances: differ by exactly the sum of all transfers: ${isSumRight ? 'yes' : 'NO'}`,
	);
	return isMoved && isDelivered && isFrozen && isSumRight;
}
