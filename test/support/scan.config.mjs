import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const rulesOf = (name) => n8nNodesBase.configs[name].rules;
const off = (...names) =>
	Object.fromEntries(names.map((name) => [`n8n-nodes-base/${name}`, 'off']));

/**
 * The rules of n8n's own scan (@n8n/scan-community-package 0.32.0), which decides whether a package
 * can be verified. They are stricter than eslint.config.mjs.
 */
export default [
	n8nCommunityNodesPlugin.configs.recommended,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{ files: ['package.json'], rules: rulesOf('community') },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...rulesOf('credentials'),
			...off(
				'cred-class-field-documentation-url-miscased',
				'cred-class-field-type-options-password-missing',
			),
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...rulesOf('nodes'),
			...off(
				'node-class-description-inputs-wrong-regular-node',
				'node-class-description-outputs-wrong',
				'node-param-type-options-max-value-present',
			),
		},
	},
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser: tseslint.parser } },
];
