import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const nodesBase = (config, files) => ({
	files,
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: n8nNodesBase.configs[config].rules,
});

/**
 * With the key "__proto__" from a response, `object[key] = value` changes the prototype, in the worst case of every
 * object of the n8n process.
 */
const NO_KEYS_FROM_OUTSIDE = [
	['AssignmentExpression', 'left'],
	['UpdateExpression', 'argument'],
].map(([type, target]) => ({
	selector: `${type}[${target}.computed=true][${target}.property.type!="Literal"][${target}.property.name!=/^[A-Z_]+$/][${target}.property.object.name!=/^[A-Z_]+$/]`,
	message:
		'The key may be "__proto__": use a Map, Object.fromEntries, or `{ ...object, [key]: value }`.',
}));

/** A call with more than about 120 000 arguments is a RangeError; a card may have more events. */
const NO_LISTS_AS_ARGUMENTS = {
	selector:
		'CallExpression[callee.property.name=/^(concat|max|min|push|unshift)$/] > SpreadElement',
	message: 'A list from outside may be too long for arguments: use a loop, or reduce.',
};

/** Forbids relative imports from some folders, and other syntax. */
const importsNothingFrom = (
	folders,
	{ files = ['**/*.{ts,tsx,js,mjs}'], ignores = [], syntax = [] },
) => ({
	files,
	ignores,
	rules: {
		'no-restricted-syntax': [
			'error',
			{
				selector: `:matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression)[source.value=/^[.].*[.][/](${folders.join('|')})[/]/]`,
				message: `This folder imports nothing from ${folders.join(', ')}.`,
			},
			...syntax,
		],
	},
});

/** What each folder of nodes/CardPlatform may import from the others. */
const NODE_FOLDERS = {
	api: [],
	transport: ['api'],
	events: ['api'],
	webhook: ['api', 'events'],
	polling: ['api', 'events', 'transport'],
	actions: ['api', 'events', 'transport'],
};

export default tseslint.config(
	{
		ignores: [
			'**/dist/',
			'**/node_modules/',
			'coverage/',
			'.cache/',
			'.playground/',
			'package-lock.json',
		],
	},
	{
		files: ['**/*.ts'],
		extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			// Types of a library, such as Hono's, are extended by their interfaces.
			'@typescript-eslint/no-empty-object-type': [
				'error',
				{ allowInterfaces: 'with-single-extends' },
			],
			'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			// Functions of n8n's interfaces return promises, also if there is nothing to wait for.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
		},
	},
	{
		...n8nCommunityNodesPlugin.configs.recommended,
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		ignores: [],
	},
	{
		// What is not shipped may say what a response holds.
		files: ['{test,dev}/**/*.ts'],
		rules: {
			'@typescript-eslint/consistent-type-assertions': 'off',
			'@typescript-eslint/no-unnecessary-type-parameters': 'off',
		},
	},
	{
		// Jest types its asymmetric matchers, such as expect.stringContaining(), as any.
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
	},
	{
		files: ['**/*.{ts,tsx,js,mjs}'],
		plugins: { 'simple-import-sort': simpleImportSort },
		rules: { 'simple-import-sort/imports': 'error' },
	},
	// Data and dependencies flow one way (see the layout in CONTRIBUTING.md).
	importsNothingFrom(['test'], { ignores: ['test/**'] }),
	importsNothingFrom(['test', 'demo', 'bench', 'chaos'], { files: ['dev/harness/**/*.ts'] }),
	importsNothingFrom(['test', 'dev', 'nodes', 'credentials'], {
		files: ['sandbox/**/*.{ts,tsx}'],
	}),
	importsNothingFrom(['test', 'dev', 'sandbox'], {
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		syntax: [...NO_KEYS_FROM_OUTSIDE, NO_LISTS_AS_ARGUMENTS],
	}),
	...Object.entries(NODE_FOLDERS).map(([folder, allowed]) => {
		const others = Object.keys(NODE_FOLDERS).filter(
			(other) => other !== folder && !allowed.includes(other),
		);
		return importsNothingFrom(['test', 'dev', 'sandbox', ...others], {
			files: [`nodes/CardPlatform/${folder}/**/*.ts`],
			syntax: [...NO_KEYS_FROM_OUTSIDE, NO_LISTS_AS_ARGUMENTS],
		});
	}),
	nodesBase('nodes', ['nodes/**/*.ts']),
	nodesBase('credentials', ['credentials/**/*.ts']),
	{
		// The two n8n plugins contradict each other here; the newer one, which scans packages for
		// verification, is followed: connection types from the enum, a documentation URL.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		...n8nCommunityNodesPlugin.configs.recommended,
		files: ['package.json'],
		ignores: [],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	nodesBase('community', ['package.json']),
);
