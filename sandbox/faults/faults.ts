import type { FaultKind, FaultRule, RuleOf } from './rules.ts';

type CountedRule = FaultRule & { applied: number };

export interface Faults {
	rules: () => CountedRule[];
	/** The rules that may still be applied. */
	active: () => FaultRule[];
	set: (rules: FaultRule[]) => void;
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

const isUsedUp = ({ times, applied }: CountedRule): boolean => applied >= (times ?? Infinity);

/** Starts without any fault; `onChange` is called after the rules have changed. */
export function createFaults(onChange: () => void = () => undefined): Faults {
	let rules: CountedRule[] = [];

	const isOfKind = <K extends FaultKind>(
		rule: CountedRule,
		kind: K,
	): rule is RuleOf<K> & CountedRule => rule.kind === kind;

	return {
		rules: () => rules.map((rule) => ({ ...rule })),
		active: () => rules.filter((rule) => !isUsedUp(rule)),
		set: (next) => {
			rules = next.map((rule) => ({ ...rule, applied: 0 }));
			onChange();
		},
		add: (rule) => {
			rules.push({ ...rule, applied: 0 });
			onChange();
		},
		apply: (kind, concerned = () => true) => {
			const found = rules
				.filter((rule) => isOfKind(rule, kind))
				.find((rule) => !isUsedUp(rule) && concerned(rule));
			if (found) found.applied += 1;
			return found;
		},
	};
}
