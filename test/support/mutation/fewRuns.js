// Property tests run less often for each mutant, always with the same values, and look for no simpler failure.
jest.mock('fast-check', () => {
	const fc = jest.requireActual('fast-check');
	const assert = (property, parameters) =>
		fc.assert(property, {
			...parameters,
			endOnFailure: true,
			numRuns: Math.min(parameters?.numRuns ?? 100, 20),
			seed: 1,
		});
	return { __esModule: true, default: { ...fc, assert } };
});
