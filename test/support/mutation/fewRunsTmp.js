jest.mock('fast-check', () => {
	const fc = jest.requireActual('fast-check');
	const most = () => { const path = expect.getState().testPath ?? ''; return /otherApis/.test(path) ? 300 : /conforming/.test(path) ? 60 : /growing/.test(path) ? 4 : 20; };
	const assert = (property, parameters) =>
		fc.assert(property, { ...parameters, endOnFailure: true, numRuns: Math.min(parameters?.numRuns ?? 100, most()), seed: 1 });
	return { __esModule: true, default: { ...fc, assert } };
});
