import trigger from './stryker.config.mjs';

/** What the editor shows of an operation and its fields. */
const SHOWN = new Set(['action', 'description', 'displayName', 'fields', 'placeholder', 'risk']);

/** The type that a declaration is annotated with: INodeProperties of INodeProperties[], for example. */
function typeOf(declaration) {
	const type = declaration?.id?.typeAnnotation?.typeAnnotation;
	const inner = type?.type === 'TSArrayType' ? type.elementType : type;
	return inner?.typeName?.name;
}

const keysOf = (object) => object.properties.map(({ key }) => key?.name);

/** The words of an operation that others are made from: its name, without what it does. */
const isWords = (path) =>
	path.isObjectExpression() &&
	keysOf(path.node).includes('action') &&
	!keysOf(path.node).includes('run');

const isName = (path) =>
	path.node.key.name === 'name' &&
	keysOf(path.parent).some((key) => key === 'action' || key === 'operations');

const isAdvice = (path) =>
	(path.isStringLiteral() || path.isTemplateLiteral()) &&
	path.listKey === 'arguments' &&
	path.key === 1 &&
	path.parent.type === 'NewExpression' &&
	path.parent.callee.name === 'UserError';

/**
 * Data, which no test should repeat: what the editor shows, and the advice in an error. The message of
 * an error is not left out, nor what chooses between two pieces of advice.
 */
const words = {
	shouldIgnore(path) {
		const isShown = path.isObjectProperty() && (SHOWN.has(path.node.key.name) || isName(path));
		const isField = path.isVariableDeclarator() && typeOf(path.node) === 'INodeProperties';
		if (isShown || isField || isWords(path)) return 'The editor shows it.';
		return isAdvice(path) ? 'It is advice.' : undefined;
	},
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'words', value: words }];

/**
 * Changes what calls the API and what the operations of the action node do, as stryker.config.mjs does
 * for the trigger. The tests run the node without n8n-core and HTTP, and no time passes in them.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	...trigger,
	mutate: [
		'nodes/CardPlatform/{actions,transport}/**/*.ts',
		// Fields of the form, and how the form is made of them.
		'!nodes/CardPlatform/actions/**/{fields,properties}.ts',
	],
	plugins: ['@stryker-mutator/*', import.meta.filename],
	ignorers: ['words'],
	jest: {
		...trigger.jest,
		config: {
			...trigger.jest.config,
			// Parts of n8n-workflow that these tests do not use, and that take longer to load than they run.
			moduleNameMapper: {
				'^(@n8n/expression-runtime|form-data|jsonrepair|transliteration|xml2js)$':
					'<rootDir>/test/support/empty.js',
			},
			testMatch: [
				'<rootDir>/test/unit/action/*.test.ts',
				'<rootDir>/test/unit/{accountId,amount,authorize,cardBody,dates,failedCall}.test.ts',
				'<rootDir>/test/unit/{pagination,query,retry,stringMap,uuid}.test.ts',
				'<rootDir>/test/property/pagination.test.ts',
			],
		},
	},
	// A mutant that loops is found by its iterations. This is for a machine that does other work too.
	timeoutMS: 30_000,
	jsonReporter: { fileName: '.cache/mutation-actions.json' },
	tempDirName: '.cache/stryker-actions',
};
