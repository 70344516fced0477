import fc from 'fast-check';

/** A step of a random scenario: how likely it is, its kind, and with what it happens. */
export const happens = <const Kind extends string, More>(
	weight: number,
	kind: Kind,
	more: { [Name in keyof More]: fc.Arbitrary<More[Name]> },
) => ({ weight, arbitrary: fc.record<More>(more).map((each) => ({ kind, ...each })) });
