import { setSafeRegexEngine } from 'n8n-workflow';

// n8n's own engine stops after 250 ms, which pass on a busy machine before a pattern is even tried.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
