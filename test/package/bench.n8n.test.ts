import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { npm } from '../../harness/tools/npm.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

const networks = ['0 ms latency', '20 ms latency', '100 ms latency', '20 ms latency, TLS'];
const each = (settings: string[], contenders: string[]) =>
	settings.flatMap((setting) => contenders.map((contender) => [setting, contender]));

const inBatches = 'HTTP Request, 10 per 200 ms';

/** The rows of each table, in order. */
const wanted = [
	...each(networks, ['this node', 'HTTP Request + Split Out', 'undici, 6 pages at a time']),
	...each(networks, ['this node', 'HTTP Request']),
	...each(['100 freezes, Retry-After'], ['this node', 'HTTP Request', inBatches]),
	...each(['100 freezes, no Retry-After'], ['this node']),
	...each(['3000 transactions, Retry-After'], ['this node', 'HTTP Request + Split Out']),
	...each(['3000 transactions, no Retry-After'], ['this node']),
	...each(
		['default'],
		['this trigger', 'bare Webhook node', 'Webhook + Code', 'naive trigger', 'Stripe Trigger'],
	),
	...each(['default'], ['this trigger', 'Webhook + Code', 'naive trigger', 'Stripe Trigger']),
	...each(['2 cards', '3 cards', '4 cards'], ['this trigger', 'every card, undici, 10 at a time']),
	...each(['100 items', '200 items', '300 items'], ['this node']),
];

/** The cells of all tables between the marks of a page. */
function cellsOf(page: string): string[][] {
	const [, results = ''] = page.split(/<!-- (?:results: .*|end of results) -->/);
	return results
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
}

// It fails by itself where a contender does not do its work: too few items or frozen cards, another status
// than there should be, an execution for a forged delivery.
test('npm run bench runs every contender of every scenario, and writes the results into the page', async () => {
	await usePackedPackage();
	const folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
	try {
		const page = join(folder, 'benchmarks.md');
		await copyFile(join(repositoryFolder, 'docs', 'benchmarks.md'), page);
		await mkdir(join(folder, 'images'));
		const before = await readFile(page, 'utf8');
		await npm(['run', 'bench', '--', '--quick', '--write', folder], { cwd: repositoryFolder });
		const after = await readFile(page, 'utf8');
		const chart = await readFile(join(folder, 'images', 'benchmarks.svg'), 'utf8');

		const cells = cellsOf(after);
		const rows = cells.filter(([, contender = '']) =>
			wanted.some(([, name]) => name === contender),
		);
		expect(rows.map(([setting, contender]) => [setting, contender])).toEqual(wanted);
		const values = rows.flatMap(([, , ...its]) => its).filter((value) => value !== '');
		for (const value of values) expect(value).toMatch(/^\d+(\.\d+)?$/);
		expect(rows[0]?.at(-1)).toBe('1.00');
		// The API accepts requests at its rate only, and what it refuses is not done.
		const limited = rows.filter(([setting = '']) => setting.includes('Retry-After'));
		expect(limited).toHaveLength(7);
		for (const [, name, overIdeal = '', refused = '', done = ''] of limited) {
			if (overIdeal !== '') expect(Number(overIdeal)).toBeGreaterThanOrEqual(1);
			if (name === 'HTTP Request') expect(+refused + +done).toBeCloseTo(100, 0);
		}

		const lines = after.split('\n');
		const goals = cells.filter(([, , goal = '']) => /^at (least|most) [\d.]+$/.test(goal));
		expect(goals).toHaveLength(22);
		for (const [name = '', says = '', goal = '', measured = '', met = ''] of goals) {
			const bound = Number(goal.split(' ')[2]);
			const isMet = goal.startsWith('at least') ? +measured >= bound : +measured <= bound;
			if (+measured !== bound) expect(met).toBe(isMet ? 'met' : '**missed**');
			const miss = `${says} (${measured}, not ${goal})`;
			const missed = lines.find((line) => line.startsWith(`- **${name}**: `)) ?? '';
			expect(missed.includes(miss)).toBe(met !== 'met');
		}

		const around = (text: string) => text.split(/(?<=<!-- results: .* -->)[^]*(?=<!-- end of)/);
		expect(around(after)).toEqual(around(before));
		expect(chart.match(/<rect class="(bar|ours)"/g)).toHaveLength(networks.length * 3);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}, 900_000);
