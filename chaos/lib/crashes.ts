import { type Report, seconds } from '../../harness/tools/report.ts';

/** What can be killed and started again: a process of n8n. */
interface Restartable {
	kill(): Promise<void>;
	start(): Promise<void>;
}

/** Kills a process (SIGKILL), as a power failure would, and starts it again. */
export async function crash(report: Report, name: string, process: Restartable): Promise<void> {
	await process.kill();
	const killed = performance.now();
	report(`   ${name} was killed (SIGKILL)`);
	await process.start();
	report(`   ${name} is up again (${seconds(performance.now() - killed)})`);
}

/** Processes that are killed in the middle of the work. */
export interface Crashes {
	/** Takes how many deliveries have been answered by now. */
	onDelivered: (count: number) => void;
	/** Waits until all that were killed are up again. Throws if not everything was killed. */
	over: () => Promise<void>;
}

/** Kills each process once this many deliveries have been answered, and starts it again. */
export function planCrashes(
	report: Report,
	plan: readonly (readonly [at: number, member: { name: string; process: Restartable }])[],
): Crashes {
	const crashes: Promise<void>[] = [];
	return {
		onDelivered: (count) => {
			for (const [at, { name, process }] of plan) {
				if (count !== at) continue;
				const crashed = crash(report, name, process);
				// A failure is reported by over(): until then, it must not end the process.
				crashed.catch(() => undefined);
				crashes.push(crashed);
			}
		},
		over: async () => {
			await Promise.all(crashes);
			if (crashes.length < plan.length) throw new Error('Not everything was killed that should be');
		},
	};
}
