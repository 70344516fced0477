import jestConfig from './jest.config.js';

const [unit] = jestConfig.projects;

/**
 * Changes what verifies, filters and deduplicates deliveries in hundreds of small ways, and sees
 * whether a test notices (mutation testing). A script of its own: it takes minutes.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		'nodes/CardPlatform/webhook/**/*.ts',
		'nodes/CardPlatform/api/{decimal,eventFilter,eventListFilters}.ts',
		// The words of the form and the panel: data, which no test should repeat.
		'!nodes/CardPlatform/webhook/{answer,properties,texts}.ts',
	],
	testRunner: 'jest',
	jest: {
		config: {
			...unit,
			displayName: 'mutation',
			// Stryker would add jest.config.js's, with all their tests.
			projects: [],
			testMatch: [
				'<rootDir>/test/unit/{deduplication,delivery,deliveryTable,eventFilter}.test.ts',
				'<rootDir>/test/unit/{keyCache,settings,signature,timestamp}.test.ts',
				'<rootDir>/test/property/{delivery,eventFilter,signature}.test.ts',
				'<rootDir>/test/integration/{trigger,deduplicate}.test.ts',
			],
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: [
		'chaos',
		'coverage',
		'demo',
		'dist',
		'docs',
		'harness',
		'n8n',
		'sandbox',
		'workflows',
	],
	disableTypeChecks: false,
	concurrency: 2,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false },
	tempDirName: '.cache/stryker',
	thresholds: { high: 100, low: 95, break: 95 },
};
