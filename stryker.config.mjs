import jestConfig from './jest.config.js';

const [unit] = jestConfig.projects;

/** What the editor shows is data, which no test should repeat. */
const shown = {
	shouldIgnore(path) {
		const isShown =
			(path.isObjectProperty() &&
				['displayName', 'description', 'placeholder'].includes(path.node.key.name)) ||
			(path.isVariableDeclarator() &&
				['OPTION_LABELS', 'triggerProperties'].includes(path.node.id.name));
		return isShown ? 'The editor shows it.' : undefined;
	},
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'shown', value: shown }];

/**
 * Changes what verifies, filters and deduplicates deliveries in hundreds of small ways, and sees
 * whether a test notices (mutation testing). A script of its own: it takes minutes.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['nodes/CardPlatform/{events,webhook}/**/*.ts', '!nodes/CardPlatform/webhook/copy.ts'],
	plugins: ['@stryker-mutator/*', import.meta.filename],
	ignorers: ['shown'],
	testRunner: 'jest',
	jest: {
		config: {
			...unit,
			displayName: 'mutation',
			// Stryker would add jest.config.js's, with all their tests.
			projects: [],
			testMatch: [
				'<rootDir>/test/unit/{deduplication,delivery,deliveryTable,eventFilter}.test.ts',
				'<rootDir>/test/unit/{keyCache,responseMode,settings,signature,timestamp}.test.ts',
				'<rootDir>/test/property/{delivery,eventFilter,signature}.test.ts',
				'<rootDir>/test/integration/{trigger,deduplicate}.test.ts',
			],
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['chaos', 'coverage', 'demo', 'dist', 'docs', 'n8n', 'sandbox', 'workflows'],
	disableTypeChecks: false,
	concurrency: 2,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false },
	tempDirName: '.cache/stryker',
	thresholds: { high: 100, low: 95, break: 95 },
};
