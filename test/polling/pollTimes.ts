/**
 * Poll Times of the polling trigger: every three seconds. n8n refuses an expression that polls more than
 * once a minute, but not several expressions.
 */
export const pollTimes = {
	item: Array.from({ length: 20 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 3} * * * * *`,
	})),
};
