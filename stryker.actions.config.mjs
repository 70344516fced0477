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
			// Parts of n8n-workflow that these tests do not use, and that take longer to load than they run.
			moduleNameMapper: {
				'^(@n8n/expression-runtime|form-data|jsonrepair|transliteration|xml2js)$':
					'<rootDir>/test/support/empty.js',
			},
			testRunner: '<rootDir>/test/support/jest-circus-bail.js',
			testMatch: [
				'<rootDir>/test/unit/action/*.test.ts',
				'<rootDir>/test/unit/{accountId,amount,authorize,calendarDate,cardBody}.test.ts',
				'<rootDir>/test/unit/{failedCall,instant,namedTexts,pagination,query,retry}.test.ts',
				'<rootDir>/test/unit/{sentKeys,uuid}.test.ts',
			],
		},
	},
	// A mutant that loops is found by its iterations. This is for a machine that does other work too.
	timeoutMS: 60_000,
	jsonReporter: { fileName: '.cache/mutation-actions.json' },
	tempDirName: '.cache/stryker-actions',
};
