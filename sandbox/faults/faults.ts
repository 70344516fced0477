import { createRandom } from '../random.ts';
import type { FaultKind, FaultRule, RuleOf } from './rules.ts';

/** A rule and how often it was applied. */
export type CountedRule = FaultRule & { applied: number };

/** What goes wrong in a sandbox on purpose. */
export interface Faults {
	/** The rules in force, with counts. */
	rules: () => CountedRule[];
	/** Puts rules into force instead of those before; the same seed makes the same decisions. */
	set: (rules: FaultRule[], seed: number) => void;
	/**
	 * Gives the first rule of a kind that applies now, and counts it as applied; `concerned` tells
	 * which rules are about the case at hand.
	 */
	apply: <K extends FaultKind>(
		kind: K,
		concerned?: (rule: RuleOf<K>) => boolean,
	) => RuleOf<K> | undefined;
}

/** Starts without any fault. */
export function createFaults(): Faults {
	let counted: { rule: FaultRule; applied: number }[] = [];
	let random = createRandom(0);

	const isOfKind = <K extends FaultKind>(rule: FaultRule, kind: K): rule is RuleOf<K> =>
		rule.kind === kind;

	return {
		rules: () => counted.map(({ rule, applied }) => ({ ...rule, applied })),
		set: (rules, seed) => {
			counted = rules.map((rule) => ({ rule, applied: 0 }));
			random = createRandom(seed);
		},
		apply: (kind, concerned = () => true) => {
			for (const entry of counted) {
				const { rule } = entry;
				if (!isOfKind(rule, kind) || !concerned(rule)) continue;
				if (entry.applied >= (rule.times ?? Infinity)) continue;
				if (rule.probability < 1 && random() >= rule.probability) continue;
				entry.applied += 1;
				return rule;
			}
			return undefined;
		},
	};
}
