import { createRandom } from '../random.ts';
import type { FaultKind, FaultRule, RuleOf } from './rules.ts';

/** A rule and how often it was applied. */
export type CountedRule = FaultRule & { applied: number };

/** What goes wrong in a sandbox on purpose. */
export interface Faults {
	/** The rules in force, with counts. */
	rules: () => CountedRule[];
	/** The rules that may still be applied. */
	active: () => FaultRule[];
	/** Puts rules into force instead of those before; the same seed makes the same decisions. */
	set: (rules: FaultRule[], seed: number) => void;
	/** Puts one more rule into force, after the others. */
	add: (rule: FaultRule) => void;
	/**
	 * Gives the first rule of a kind that applies now, and counts it as applied; `concerned` tells
	 * which rules are about the case at hand.
	 */
	apply: <K extends FaultKind>(
		kind: K,
		concerned?: (rule: RuleOf<K>) => boolean,
	) => RuleOf<K> | undefined;
}

/** Tells whether a rule was applied as often as it may be. */
export const isUsedUp = ({ times, applied }: CountedRule): boolean =>
	applied >= (times ?? Infinity);

/** Starts without any fault. */
export function createFaults(): Faults {
	let entries: { rule: FaultRule; applied: number }[] = [];
	let random = createRandom(0);

	const newEntry = (rule: FaultRule) => ({ rule, applied: 0 });

	const isLeft = ({ rule, applied }: { rule: FaultRule; applied: number }) =>
		!isUsedUp({ ...rule, applied });

	const isOfKind = <K extends FaultKind>(rule: FaultRule, kind: K): rule is RuleOf<K> =>
		rule.kind === kind;

	return {
		rules: () => entries.map(({ rule, applied }) => ({ ...rule, applied })),
		active: () => entries.filter(isLeft).map(({ rule }) => rule),
		set: (rules, seed) => {
			entries = rules.map(newEntry);
			random = createRandom(seed);
		},
		add: (rule) => entries.push(newEntry(rule)),
		apply: (kind, concerned = () => true) => {
			for (const entry of entries) {
				const { rule } = entry;
				if (!isOfKind(rule, kind) || !concerned(rule)) continue;
				if (!isLeft(entry)) continue;
				if (rule.probability < 1 && random() >= rule.probability) continue;
				entry.applied += 1;
				return rule;
			}
			return undefined;
		},
	};
}
