import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../harness/httpServer';

let mockSleep: () => void;

// No wait ever ends by itself here: what ends is what the stop ended.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => {
		mockSleep();
		return await new Promise(() => undefined);
	},
}));

const WITHIN_MS = 30_000;

const cardId = { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' };
const get = { resource: 'card', operation: 'get', cardId };
const freeze = { resource: 'card', operation: 'freeze', cardId };
const create = { resource: 'card', operation: 'create', name: 'Travel', type: 'recurring' };

let server: HttpServer;
let stop: () => void;
let stopped: Promise<void>;
beforeEach(() => {
	stopped = new Promise((resolve) => (stop = resolve));
	mockSleep = () => undefined;
});
afterEach(() => server.close());

async function run(parameters: INodeParameters, answer: Answer, more: Partial<RunOptions> = {}) {
	server = await startServer(answer);
	const credentials = credentialsFor(server.url);
	return await runNode({ parameters, credentials, stop: stopped, ...more });
}

const fail =
	(status: number): Answer =>
	(_request, response) =>
		json(response, status, { code: 'x' }, { 'retry-after': '60' });

const MESSAGE = 'The execution was stopped';
const CHECK_FIRST = expect.stringContaining('may have been carried out');
const UNCHANGED = expect.stringContaining('Nothing was changed');

test.each([
	['freeze', 503, freeze, CHECK_FIRST],
	['create', 429, create, UNCHANGED],
])(
	'%s, waiting after a %d: the stop ends the wait',
	async (_name, status, parameters, description) => {
		mockSleep = stop;
		const { error } = await run(parameters, fail(status));
		expect(error).toMatchObject({ message: MESSAGE, description });
		expect(server.requests).toHaveLength(1);
	},
	WITHIN_MS,
);

test.each([
	['get', get, UNCHANGED],
	['create', create, CHECK_FIRST],
])(
	'%s on its way: the stop is named, and whether it may have been carried out',
	async (_name, parameters, description) => {
		const { error } = await run(parameters, stop);
		expect(error).toMatchObject({ message: MESSAGE, description });
		expect(server.requests).toHaveLength(1);
	},
	WITHIN_MS,
);

test(
	'after a stop no item sends anything, also where failures do not end the run',
	async () => {
		const { items } = await run(
			create,
			(_request, response, count) => {
				if (count === 3) stop();
				else json(response, 201, { id: cardId.value });
			},
			{ items: Array.from({ length: 20 }, () => ({})), onError: 'continueRegularOutput' },
		);
		expect(server.requests).toHaveLength(3);
		expect(items.map(({ json: { id, error } }) => id ?? error)).toEqual([
			cardId.value,
			cardId.value,
			...Array.from({ length: 18 }, () => MESSAGE),
		]);
	},
	WITHIN_MS,
);
