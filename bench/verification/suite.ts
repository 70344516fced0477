import '../../harness/tools/tsImports.ts';

import { createHmac, randomBytes } from 'node:crypto';

import { Bench } from 'tinybench';

import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { sign } from '../../harness/signing.ts';
import { goal, goalsOf, medianOf } from '../result.ts';
import { runInterleaved } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const { toSigningKey } = await import('../../nodes/CardPlatform/webhook/signingKeys.ts');
const { isSigned, parseSignatures } = await import('../../nodes/CardPlatform/webhook/verify.ts');

/** How many are timed together, as one takes less than a clock can tell well. */
const batch = 100;

/** How long each contender runs in a round, in milliseconds. */
const timeMs = { full: 1000, quick: 20 } as const;

const setting = '1 KB';
const bare = 'createHmac alone';
const ours = 'this verification';
const measure = 'one body';

const event = Buffer.from(JSON.stringify(realisticEvent()));
/** 1024 bytes, whatever the event takes. */
const body = Buffer.concat([event, Buffer.alloc(1024)]).subarray(0, 1024);
const secret = randomBytes(32).toString('hex');
const key = toSigningKey(secret);
const signature = sign(body, secret);

const work: Record<string, () => void> = {
	[bare]: () => {
		createHmac('sha256', secret).update(body).digest('hex');
	},
	[ours]: () => {
		if (!isSigned(body, parseSignatures(signature), [key])) throw new Error('It was signed');
	},
};

/** What checking a signature costs beyond the HMAC that it cannot do without (goal 5). */
export const verificationSuite: Suite = {
	parts: ['verification'],
	async measure({ progress }, benchSize) {
		const contenders = Object.entries(work).map(([name, once]) => ({
			setting,
			name,
			run: async () => ({ [measure]: await time(once, timeMs[benchSize.size]) }),
		}));
		const figures = await runInterleaved(contenders, benchSize, { [measure]: 'µs' }, progress);
		const cost = (name: string) => medianOf(figures, setting, name, measure);
		return [
			{
				name: 'verification',
				title: 'Verification alone: one signature of 1 KB, one secret',
				about: `Reading the header, the HMAC, and the comparison in constant time, against node:crypto’s createHmac of the same body. Timed ${batch} at a time.`,
				reference: { contender: ours, measure },
				figures,
				goals: goalsOf(() =>
					goal('its time over that of createHmac', cost(ours) / cost(bare), 'at most', 1.3),
				),
			},
		];
	},
};

/** The median time of doing something once, in µs. */
async function time(once: () => void, forMs: number): Promise<number> {
	const bench = new Bench({ time: forMs, throws: true });
	bench.add('work', () => {
		for (let done = 0; done < batch; done++) once();
	});
	const [task] = await bench.run();
	if (task?.result.state !== 'completed') throw new Error('tinybench did not complete');
	return (task.result.latency.p50 / batch) * 1000;
}
