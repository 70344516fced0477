import trigger from './stryker.config.mjs';

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
		// Data: the fields of the form, and how the form is made of them.
		'!nodes/CardPlatform/actions/**/{fields,properties}.ts',
	],
	plugins: ['@stryker-mutator/jest-runner', './stryker.ignore.mjs'],
	ignorers: ['form'],
	jest: {
		...trigger.jest,
		config: {
			...trigger.jest.config,
			testRunner: '<rootDir>/test/support/jest-circus-bail.js',
			testMatch: [
				'<rootDir>/test/unit/action/*.test.ts',
				'<rootDir>/test/unit/{accountId,amount,calendarDate,cardBody,failedCall,instant}.test.ts',
				'<rootDir>/test/unit/{namedTexts,pagination,query,retry,sentKeys,uuid}.test.ts',
			],
		},
	},
	jsonReporter: { fileName: '.cache/mutation-actions.json' },
	tempDirName: '.cache/stryker-actions',
};
