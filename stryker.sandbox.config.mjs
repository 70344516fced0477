import nodes from './stryker.config.mjs';

/**
 * As for the nodes, the sandbox: what decides about money, events, deliveries and access. Not pages and words.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	...nodes,
	mutate: [
		'sandbox/{accounts,balance,cards,clock,events,faults,http,keys}/**/*.ts',
		'sandbox/{payments,requests,settlements,simulate,transactions,webhooks}/**/*.ts',
		'!sandbox/webhooks/explain.ts',
		// Tested with a process of its own.
		'!sandbox/http/guard.ts',
	],
	plugins: ['@stryker-mutator/*'],
	ignorers: [],
	jest: {
		config: {
			...nodes.jest.config,
			testMatch: ['<rootDir>/test/sandbox/*.test.ts'],
			// Not those of pages, documents and processes.
			testPathIgnorePatterns: [
				'/node_modules/',
				'/(dashboard|documentedCalls|guard|start|survival)\\.',
				'\\.(browser|nightly)\\.',
			],
		},
		enableFindRelatedTests: true,
	},
	// What runs while a file is loaded: all tests run for each such mutant, which takes hours.
	ignoreStatic: true,
	jsonReporter: { fileName: '.cache/mutation-sandbox.json' },
	// Six files with rules of money, faults and signatures have 94 %; the whole has not been measured.
	thresholds: { high: 100, low: 90, break: 80 },
};
