/**
 * Makes tests of tables: each line is a name, what is given, and a script of steps with semicolons between them.
 *
 * @param start begins a script; gives what runs a step
 */
export const scripts =
	(start: (given: string) => ((step: string) => unknown) | Promise<(step: string) => unknown>) =>
	(table: string): void =>
		test.each(
			table
				.trim()
				.split('\n')
				.map((line) => line.split('|').map((each) => each.trim())),
		)('%s', async (_, given = '', script = '') => {
			const run = await start(given);
			for (const step of script.split(';').map((each) => each.trim())) {
				try {
					await run(step);
				} catch (error) {
					throw new Error(`${step}: ${String(error)}`, { cause: error });
				}
			}
		});
