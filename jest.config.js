// n8n-core logs every error that a test provokes.
process.env.N8N_LOG_LEVEL ??= 'silent';

/** @type {import('jest').Config} */
const shared = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/n8n/node_modules/',
		'<rootDir>/compatibility/versions/',
		'<rootDir>/.cache/',
		'<rootDir>/.playground/',
	],
};

const project = (name, more = {}) => ({
	...shared,
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...more,
});

module.exports = {
	// A bound for what hangs: on a slow machine the default of 5 s ends tests that only take longer.
	testTimeout: 120_000,
	// By default one core is left out: with two, a single process would run everything.
	maxWorkers: '100%',
	// What files load stays in memory, and makes the collection of garbage slow: then a new worker goes on.
	workerIdleMemoryLimit: '1GB',
	projects: [
		project('unit'),
		project('property'),
		project('integration'),
		project('sandbox'),
		project('contract'),
		project('browser'),
		project('e2e', {
			globalSetup: '<rootDir>/test/e2e/shared/globalSetup.ts',
			globalTeardown: '<rootDir>/test/e2e/shared/globalTeardown.ts',
		}),
		// zod comes from n8n. The shipped code has to work with both of its versions.
		project('zod4', {
			testMatch: ['<rootDir>/test/{unit,property,integration,zod4}/**/*.test.ts'],
			resolver: '<rootDir>/test/support/zod4Resolver.js',
			// The output schemas are made when building, with the zod of this folder.
			testPathIgnorePatterns: ['/node_modules/', '/outputSchema\\.test\\.ts$'],
		}),
	],
};
