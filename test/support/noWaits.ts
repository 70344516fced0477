import { skipTime } from './sleep';

// Import this before everything else: what a file has imported until then waits in real time.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async (ms: number) => await skipTime(ms)),
}));
