import { sleep } from 'n8n-workflow';

/** The waits, in milliseconds, that the node asked n8n-workflow's mocked `sleep` for. */
export const waits = (): number[] => jest.mocked(sleep).mock.calls.map(([ms]) => ms);

let skipped = 0;
const now = performance.now.bind(performance);

/** How much time was skipped. */
export const skippedMs = (): number => skipped;

/** In place of n8n-workflow's `sleep`: takes no time, but the clock goes on. */
export async function skipTime(ms: number): Promise<void> {
	skipped += ms;
	performance.now = () => now() + skipped;
	await Promise.resolve();
}
