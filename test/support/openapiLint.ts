import { createConfig, lint } from '@redocly/openapi-core';

/**
 * A program: prints what the linter finds in the OpenAPI document that is its argument, as a JSON
 * array of texts. It runs on its own, as Jest loads no ES modules such as this linter.
 */
async function main(): Promise<void> {
	const config = await createConfig({
		extends: ['recommended-strict'],
		rules: {
			'component-name-unique': 'error',
			'operation-singular-tag': 'error',
			'operation-tag-defined': 'error',
			'parameter-description': 'error',
			'path-params-defined': 'error',
			'request-mime-type': { severity: 'error', allowedValues: ['application/json'] },
			'response-mime-type': { severity: 'error', allowedValues: ['application/json'] },
		},
	});
	const problems = await lint({ ref: process.argv[2] ?? '', config });
	const texts = problems.map(
		({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`,
	);
	console.log(JSON.stringify(texts));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
