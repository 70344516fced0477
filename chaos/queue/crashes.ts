import type { Reporter } from '../../harness/tools/terminal.ts';
import { seconds } from '../../harness/tools/terminal.ts';
import type { Member } from './cluster.ts';

/** Processes that are killed in the middle of the work. */
export interface Crashes {
	/** Takes how many deliveries have been answered by now. */
	onDelivered: (count: number) => void;
	/** Waits until all that were killed are up again. Throws if not everything was killed. */
	over: () => Promise<void>;
}

/** Kills each process once this many deliveries have been answered, and starts it again. */
export function planCrashes(
	reporter: Reporter,
	plan: readonly (readonly [at: number, member: Member])[],
): Crashes {
	const happened: Promise<void>[] = [];
	const crash = async (member: Member) => {
		await member.process.kill();
		const killed = performance.now();
		reporter.line(`   ${member.name} was killed (SIGKILL)`);
		await member.process.start();
		reporter.line(`   ${member.name} is up again (${seconds(performance.now() - killed)})`);
	};
	return {
		onDelivered: (count) => {
			for (const [at, member] of plan) if (count === at) happened.push(crash(member));
		},
		over: async () => {
			await Promise.all(happened);
			if (happened.length < plan.length)
				throw new Error('Not everything was killed that should be');
		},
	};
}
