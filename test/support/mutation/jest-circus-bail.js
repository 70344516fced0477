const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');

/** The tests of each file and how long they took in the run without a mutant, for all processes. */
const STORE = join(process.cwd(), 'mutation-files.json');
const files = existsSync(STORE) ? JSON.parse(readFileSync(STORE, 'utf8')) : {};

/** The last mutant that a test has killed, and the file of that test; this process runs many mutants in turn. */
let killed = {};

const skipped = () => ({
	...createEmptyTestResult(),
	numPendingTests: 1,
	testResults: [
		{ ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending', title: '' },
	],
});

function hasWantedTest(testPath, pattern) {
	const names = files[testPath]?.names;
	if (names === undefined || pattern === undefined) return true;
	const wanted = new RegExp(pattern, 'i');
	return names.some((name) => wanted.test(name));
}

/**
 * Runs a test file as jest does, but ends the run of a mutant with the first test that fails, and does not
 * load files without a test for it. Jest can do neither inside Stryker, which wants "jest-circus" in this path.
 */
module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	const isKilled = () => mutant !== undefined && killed.mutant === mutant;
	if (isKilled() || !hasWantedTest(testPath, globalConfig.testNamePattern)) return skipped();

	const inner = environment.handleTestEvent;
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_done' && event.test.errors.length > 0) killed = { mutant, testPath };
		if (event.name === 'test_start' && isKilled()) event.test.mode = 'skip';
		await inner?.call(environment, event, state);
	};
	const start = performance.now();
	const result = await circus(globalConfig, config, environment, runtime, testPath, ...more);
	if (mutant === undefined) {
		const names = result.testResults.map(({ fullName }) => fullName);
		files[testPath] = { names, duration: performance.now() - start };
		writeFileSync(STORE, JSON.stringify(files));
	}
	return result;
};

/** What it costs to run a file early: nothing if it has just killed a mutant, most for a property test. */
module.exports.costOf = (testPath) => {
	if (testPath === killed.testPath) return 0;
	return (files[testPath]?.duration ?? 0) + (testPath.includes('.property.') ? 1e6 : 1);
};
