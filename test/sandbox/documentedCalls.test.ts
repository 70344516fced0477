import { z } from 'zod';

import { commandsIn, runCommand } from '../support/commands';
import { runCli } from './support/cli.ts';

const answerSchema = z.object({ transaction: z.object({ id: z.string() }) });

test('the calls of sandbox/README.md work as they stand, after npm run sandbox', async () => {
	const commands = commandsIn('sandbox/README.md').filter((each) => each.startsWith('curl '));
	expect(commands).toHaveLength(5);

	const cli = runCli('--port', '0');
	const { host } = new URL(await cli.url());
	let transactionId = '';
	for (const command of commands) {
		const here = command.replace('localhost:4010', host).replace('…', transactionId);
		const [status, ...lines] = runCommand(`${here} -s -w '\\n%{http_code}'`).split('\n').reverse();
		const body: unknown = JSON.parse(lines.reverse().join('\n'));
		expect([command, status, body]).toEqual([
			command,
			expect.stringMatching(/^20[01]$/),
			expect.anything(),
		]);
		transactionId = answerSchema.safeParse(body).data?.transaction.id ?? transactionId;
	}
});
