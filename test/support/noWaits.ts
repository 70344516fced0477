import { sleep } from 'n8n-workflow';

// Import this before everything else: what a file has imported until then waits in real time.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(skipTime),
}));

let skipped = 0;
const now = performance.now.bind(performance);

/** In place of n8n-workflow's `sleep`: takes no time, but the clock goes on. */
async function skipTime(ms: number): Promise<void> {
	skipped += ms;
	performance.now = () => now() + skipped;
	await Promise.resolve();
}

/** The waits, in milliseconds, that the node asked for. */
export const waits = (): number[] => jest.mocked(sleep).mock.calls.map(([ms]) => ms);

/** How much time was skipped. */
export const skippedMs = (): number => skipped;
