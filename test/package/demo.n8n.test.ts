import { readdir } from 'node:fs/promises';

import { useScripts } from '../support/n8n/script.ts';

const { start, folder } = useScripts();

test('npm run demo shows how a card is frozen, and leaves nothing behind', async () => {
	const run = start('run.ts', '--once');
	expect(await run.end()).toBe(0);
	expect(run.output()).toContain('It works');
	expect(run.output()).toContain('Nothing is left behind.');
	const left = (await readdir(folder())).filter((name) => name.startsWith('card-platform-demo-'));
	expect(left).toEqual([]);
});
