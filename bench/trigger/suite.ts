import { join } from 'node:path';

import { startBenchN8n } from '../n8n/start.ts';
import type { Figure } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import type { Suite } from '../suite.ts';
import * as contenders from './contenders.ts';
import { byDefault, legacy, whenNeeded } from './engines.ts';
import { burstUnits, measureBurst } from './measure.ts';
import { accepted, refused, type Scenario } from './scenarios.ts';
import { startStripe } from './stripe.ts';

const engines = { full: [byDefault, whenNeeded, legacy], quick: [byDefault] } as const;

const quickDeliveries = 10;

/** Short turns, so more of them. */
const turnsPerRound = { full: 2, quick: 1 } as const;

const inFlight = 8;

const scenarios = [accepted, refused];

/** What the trigger does: accepted and forged deliveries, for each way to evaluate expressions. */
export const triggerSuite: Suite = {
	parts: scenarios.map(({ name }) => name),
	async measure(context, benchSize, wanted) {
		const asked = scenarios.filter(({ name }) => wanted.has(name));
		const figures = new Map<Scenario, Figure[]>(asked.map((scenario) => [scenario, []]));
		const stripe = await startStripe(context, contenders.signingSecret);
		for (const { name: setting, settings, deliveries } of engines[benchSize.size]) {
			const n8n = await startBenchN8n(context, {
				name: setting.replaceAll(/\W+/g, '-'),
				credentials: contenders.credentials,
				workflows: contenders.all.map(({ workflow }) => workflow),
				settings: { ...stripe, ...settings, NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
				packages: { 'n8n-nodes-bench-naive': join(import.meta.dirname, 'naive') },
			});
			for (const scenario of asked) {
				const burst = {
					deliveries: benchSize.size === 'quick' ? quickDeliveries : deliveries,
					inFlight,
					genuine: scenario.genuine,
				};
				const turns = scenario.contenders.map((receiver): Contender => ({
					setting,
					name: receiver.name,
					run: () => measureBurst(n8n, receiver, burst, context.signal),
				}));
				await warmUp(turns, context.progress);
				const rounds = {
					...benchSize,
					rounds: benchSize.rounds * turnsPerRound[benchSize.size],
				};
				figures
					.get(scenario)
					?.push(...(await runInterleaved(turns, rounds, burstUnits, context.progress)));
			}
			await n8n.stop();
		}
		return [...figures].map(([scenario, measured]) => scenario.report(measured));
	},
};

/** The first turn compiles code and opens connections, which is no part of the steady state. */
async function warmUp(
	turns: readonly Contender[],
	progress: (text: string) => void,
): Promise<void> {
	for (const { name, run } of turns) {
		progress(`warming up ${name}`);
		await run();
	}
}
