// n8n-core logs every error that a test provokes.
process.env.N8N_LOG_LEVEL ??= 'silent';
// No result may depend on the time zone of the machine.
process.env.TZ = 'America/New_York';

/** @type {import('jest').Config} */
const shared = {
	testEnvironment: '<rootDir>/test/support/environment.js',
	transform: {
		'^.+\\.[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// Packages that are ES modules, which Jest loads only if they are transformed, too.
	transformIgnorePatterns: ['/node_modules/(?!(get-port|@redocly)/)'],
	setupFiles: process.env.RUNS === undefined ? ['<rootDir>/test/support/sameValues.js'] : [],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/dev/n8n/',
		'<rootDir>/.cache/',
		'<rootDir>/.playground/',
	],
};

/** Tests with a browser, with n8n, and with zod 4 only; all others are fast. */
const SLOW = '\\.(browser|n8n|zod4)\\.test\\.ts$';

/** `.nightly` anywhere in the suffix: left out of `npm test`, and run by `npm run test:nightly`. */
const NIGHTLY = '\\.nightly\\.';

const project = (name, testMatch, { ignore = [NIGHTLY], ...more } = {}) => ({
	...shared,
	displayName: name,
	testMatch: testMatch.map((pattern) => `<rootDir>/test/${pattern}.test.ts`),
	testPathIgnorePatterns: ['/node_modules/', ...ignore],
	...more,
});

const withN8n = {
	globalSetup: '<rootDir>/test/support/n8n/globalSetup.ts',
	globalTeardown: '<rootDir>/test/support/n8n/globalTeardown.ts',
};

module.exports = {
	// A bound for what hangs: on a slow machine the default of 5 s ends tests that only take longer.
	testTimeout: 120_000,
	// By default one core is left out: with two, a single process would run everything.
	maxWorkers: '100%',
	// What files load stays in memory, and makes the collection of garbage slow: then a new worker goes on.
	workerIdleMemoryLimit: '1GB',
	projects: [
		project('fast', ['**/*'], { ignore: [SLOW, NIGHTLY] }),
		project('browser', ['**/*.browser']),
		project('n8n', ['**/*.n8n'], withN8n),
		project('nightly-n8n', ['**/*.nightly*.n8n'], { ignore: [], ...withN8n }),
		// zod comes from n8n. The shipped code has to work with both of its versions: what reads responses, credentials, state and settings runs on both.
		project(
			'zod4',
			[
				'**/*.zod4',
				'actions/{operations,account,card,values}',
				'credentials/config',
				'polling/findEvents',
				'transfers/transfer',
				'trigger/deduplication',
			],
			{ resolver: '<rootDir>/test/support/zod4Resolver.js' },
		),
	],
};
