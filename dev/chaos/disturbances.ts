import { type Report, seconds } from '../harness/tools/program.ts';

/** A process of n8n that can be killed and started again. */
interface Restartable {
	kill(): Promise<void>;
	start(): Promise<void>;
}

/** Kills a process (SIGKILL), as a power failure would, and starts it again. */
export async function crash(
	report: Report,
	{ name, process }: { name: string; process: Restartable },
): Promise<void> {
	await process.kill();
	const killed = performance.now();
	report(`   ${name} was killed (SIGKILL)`);
	await process.start();
	report(`   ${name} is up again (${seconds(performance.now() - killed)})`);
}

/** What happens in the middle of deliveries. */
interface Disturbances {
	/** Is called for each delivery that was accepted. */
	onDelivered: () => void;
	/** Waits until all is as before. Throws if not everything has happened. */
	over: () => Promise<void>;
}

/** Lets each thing happen once this many deliveries were accepted. */
export function planDisturbances(
	plan: readonly (readonly [at: number, disturb: () => Promise<void>])[],
): Disturbances {
	const started: Promise<void>[] = [];
	let delivered = 0;
	return {
		onDelivered: () => {
			delivered++;
			for (const [at, disturb] of plan) {
				if (delivered !== at) continue;
				const disturbed = disturb();
				// A failure is reported by over(): until then, it must not end the process.
				disturbed.catch(() => undefined);
				started.push(disturbed);
			}
		},
		over: async () => {
			await Promise.all(started);
			if (started.length < plan.length) throw new Error('Not everything has happened that should');
		},
	};
}
