import { sleep } from 'n8n-workflow';

/** The waits, in milliseconds, that the node asked n8n-workflow's mocked `sleep` for. */
export const waits = (): number[] => jest.mocked(sleep).mock.calls.map(([ms]) => ms);
