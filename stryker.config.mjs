import jestConfig from './jest.config.js';

const [fast] = jestConfig.projects;

/** Keys of what the editor shows. */
const SHOWN = new Set([
	'action',
	'description',
	'displayName',
	'fields',
	'hint',
	'label',
	'placeholder',
	'takes',
]);

const isTitle = ({ key, value }) =>
	key.name === 'name' && value.type === 'StringLiteral' && /^[A-Z]/.test(value.value);

/** Whether a variable holds fields of a form, or their labels. */
function isForm({ id }) {
	const type = id.typeAnnotation?.typeAnnotation;
	const name = (type?.elementType ?? type)?.typeName?.name;
	return name === 'INodeProperties' || /LABELS$/.test(id.name);
}

/** Data, which no test should repeat: what the editor shows, and the advice in an error. Not its message. */
const data = {
	shouldIgnore({ node, parent, key }) {
		const isShown = node.type === 'ObjectProperty' && (SHOWN.has(node.key.name) || isTitle(node));
		const isAdvice = key === 1 && /^(UserError|notSent)$/.test(parent.callee?.name);
		const isFields =
			(node.type === 'VariableDeclarator' && isForm(node)) ||
			(node.type === 'ClassProperty' && node.key.name === 'properties');
		return isShown || isAdvice || isFields ? 'It is data.' : undefined;
	},
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'data', value: data }];

/**
 * Changes the nodes in thousands of small ways, and checks whether a test notices (mutation testing).
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		'nodes/CardPlatform/{actions,api,events,polling,transport,webhook}/**/*.ts',
		'!nodes/CardPlatform/**/editorText.ts',
		'!nodes/CardPlatform/actions/{fields,properties}.ts',
		'!nodes/CardPlatform/api/{assumptions,schemas}.ts',
	],
	plugins: ['@stryker-mutator/*', import.meta.filename],
	ignorers: ['data'],
	testRunner: 'jest',
	jest: {
		config: {
			...fast,
			displayName: 'mutation',
			// Stryker would add jest.config.js's, with all their tests.
			projects: [],
			testEnvironment: 'node',
			setupFiles: ['<rootDir>/test/support/mutation/fewRuns.js'],
			// Not the tests of the sandbox and the package, and those of documents, which compare wording with the source.
			testMatch: [
				'<rootDir>/test/{actions,credentials,filters,lists,polling,transfers,trigger}/**/*.test.ts',
			],
			testRunner: '<rootDir>/test/support/mutation/jest-circus-bail.js',
			testSequencer: './test/support/mutation/quickestFirst.js',
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: [
		'/coverage',
		'/dev/chaos',
		'/dev/demo',
		'/dev/n8n',
		'/dist',
		'/docs',
		'/workflows',
	],
	disableTypeChecks: false,
	// A mutant that loops is mostly found by its iterations.
	timeoutMS: 5_000,
	timeoutFactor: 3,
	concurrency: 2,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	tempDirName: '.cache/stryker',
	thresholds: { high: 100, low: 95, break: 95 },
};
