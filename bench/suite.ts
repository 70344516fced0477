import type { BenchContext } from './n8n/start.ts';
import type { PartResult } from './result.ts';
import type { Rounds } from './rounds.ts';

/** How much work is put into the measurements. */
export interface BenchSize extends Rounds {
	/** `quick` only shows that everything works: tiny sizes, whose figures say nothing. */
	size: 'full' | 'quick';
}

/** Parts of the bench that share an n8n. */
export interface Suite {
	/** Names of its parts, as `--only` takes them. */
	parts: readonly string[];
	/** Measures those of its parts that are wanted. Throws when a contender does not do its work. */
	measure: (
		context: BenchContext,
		benchSize: BenchSize,
		wanted: ReadonlySet<string>,
	) => Promise<PartResult[]>;
}
