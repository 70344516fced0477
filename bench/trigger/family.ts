import { join } from 'node:path';
import { startBenchN8n } from '../n8n/start.ts';
import type { Family } from '../part.ts';
import type { Figure } from '../result.ts';
import { type Contender, takeTurns } from '../rounds.ts';
import * as contenders from './contenders.ts';
import { byDefault, legacy, whenNeeded } from './engines.ts';
import { accepted, type Kind, refused } from './kinds.ts';
import { burstUnits, measureBurst } from './measure.ts';
import { startStripe } from './stripe.ts';

const engines = { full: [byDefault, whenNeeded, legacy], smoke: [byDefault] } as const;

const smokeDeliveries = 10;

/** Short turns, so more of them. */
const turnsPerRound = { full: 2, smoke: 1 } as const;

const inFlight = 8;

const kinds = [accepted, refused];

/** What the trigger does: accepted and forged deliveries, for each way to evaluate expressions. */
export const triggerFamily: Family = {
	parts: kinds.map(({ name }) => name),
	async measure(stage, effort, wanted) {
		const asked = kinds.filter(({ name }) => wanted.has(name));
		const figures = new Map<Kind, Figure[]>(asked.map((kind) => [kind, []]));
		const stripe = await startStripe(stage, contenders.signingSecret);
		for (const { name: setting, settings, deliveries } of engines[effort.size]) {
			const n8n = await startBenchN8n(stage, {
				name: setting.replaceAll(/\W+/g, '-'),
				credentials: contenders.credentials,
				workflows: contenders.all.map(({ workflow }) => workflow),
				settings: { ...stripe, ...settings, NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
				packages: { 'n8n-nodes-bench-naive': join(import.meta.dirname, 'naive') },
			});
			for (const kind of asked) {
				const burst = {
					deliveries: effort.size === 'smoke' ? smokeDeliveries : deliveries,
					inFlight,
					genuine: kind.genuine,
				};
				const turns = kind.contenders.map((receiver): Contender => ({
					setting,
					name: receiver.name,
					run: () => measureBurst(n8n, receiver, burst, stage.signal),
				}));
				await warmUp(turns, stage.progress);
				const rounds = effort.rounds * turnsPerRound[effort.size];
				figures.get(kind)?.push(...(await takeTurns(turns, rounds, burstUnits, stage.progress)));
			}
			await n8n.stop();
		}
		return [...figures].map(([kind, measured]) => kind.report(measured));
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
