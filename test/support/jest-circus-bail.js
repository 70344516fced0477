const { default: circus } = require('jest-circus/runner');

/** The last result of each test file; this process runs all mutants in turn. */
const known = new Map();

/** The mutant that a test has killed. */
let killed;

const isWanted = (pattern, { testResults }) =>
	pattern === undefined ||
	testResults.some(({ fullName }) => new RegExp(pattern, 'i').test(fullName));

const skipAll = (result) => ({
	...result,
	numFailingTests: 0,
	numPassingTests: 0,
	numPendingTests: result.testResults.length,
	failureMessage: null,
	testResults: result.testResults.map((test) => ({
		...test,
		status: 'pending',
		failureMessages: [],
		failureDetails: [],
	})),
});

/**
 * Runs a test file as jest does, for mutation tests: a mutant is dead after the first test that fails,
 * and a file without a test for it needs no loading. Jest itself can do neither inside Stryker, which
 * wants a runner whose path names jest-circus.
 */
module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	const isKilled = () => mutant !== undefined && killed === mutant;
	const last = known.get(testPath);
	const pattern = globalConfig.testNamePattern;
	if (last !== undefined && (isKilled() || !isWanted(pattern, last))) return skipAll(last);

	const inner = environment.handleTestEvent;
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_done' && event.test.errors.length > 0) killed = mutant;
		if (event.name === 'test_start' && isKilled()) event.test.mode = 'skip';
		await inner?.call(environment, event, state);
	};
	const result = await circus(globalConfig, config, environment, runtime, testPath, ...more);
	if (result.testResults.length > 0) known.set(testPath, result);
	return result;
};
