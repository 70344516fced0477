import jestConfig from './jest.config.js';

const [unit] = jestConfig.projects;

/** What the editor shows is data, which no test should repeat. */
const shown = {
	shouldIgnore(path) {
		const isShown =
			(path.isObjectProperty() &&
				['displayName', 'description', 'placeholder'].includes(path.node.key.name)) ||
			(path.isVariableDeclarator() &&
				['LABELS', 'OPTION_LABELS', 'pollingProperties', 'triggerProperties'].includes(
					path.node.id.name,
				));
		return isShown ? 'The editor shows it.' : undefined;
	},
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'shown', value: shown }];

/**
 * Changes what verifies, finds, filters and deduplicates events in hundreds of small ways, and checks
 * whether a test notices (mutation testing). A separate script: it takes more than an hour.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		'nodes/CardPlatform/{cardEvents,events,polling,webhook}/**/*.ts',
		'!nodes/CardPlatform/webhook/copy.ts',
	],
	plugins: ['@stryker-mutator/*', import.meta.filename],
	ignorers: ['shown'],
	testRunner: 'jest',
	jest: {
		config: {
			...unit,
			displayName: 'mutation',
			// Stryker would add jest.config.js's, with all their tests.
			projects: [],
			testRunner: '<rootDir>/test/support/jest-circus-bail.js',
			testMatch: [
				'<rootDir>/test/unit/{deduplication,delivery,deliveryTable,eventFilter,newestEvents}.test.ts',
				'<rootDir>/test/unit/{polling,responseMode,settings,signature,signingKeys,timestamp}.test.ts',
				'<rootDir>/test/property/{allCardEvents,delivery,eventFilter,polling,signature}.test.ts',
				'<rootDir>/test/integration/{allCardEvents,deduplicate,otherTypes,polling,trigger}.test.ts',
			],
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/chaos', '/coverage', '/demo', '/dist', '/docs', '/n8n', '/workflows'],
	disableTypeChecks: false,
	// Tests with n8n-core and HTTP. A mutant that loops is found by its iterations.
	timeoutMS: 60_000,
	concurrency: 2,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false },
	tempDirName: '.cache/stryker',
	thresholds: { high: 100, low: 95, break: 95 },
};
