import { call, cardId, errorAnswer, startSandbox } from './support/sandbox.ts';

test.each([
	['no header', {}, 'The authorization header was not provided'],
	['a wrong key', { authorization: 'Bearer sandbox_wrong' }, 'not valid'],
	['another scheme', { authorization: 'Basic c2FuZGJveA==' }, 'Bearer'],
	['no key', { authorization: 'Bearer' }, 'Bearer'],
])('%s gives 401 with its own message', async (_, headers, message) => {
	const { apiUrl } = await startSandbox();
	expect(await call('GET', `${apiUrl}/health`, { headers })).toEqual(
		errorAnswer(401, 'unauthorized', message),
	);
});

test('a new key invalidates the previous one at once, whatever their scopes', async () => {
	const sandbox = await startSandbox();
	const first = await sandbox.makeKey();
	const second = await sandbox.makeKey(1001);
	expect(await sandbox.api('GET', '/health', `Bearer ${first}`)).toEqual(
		errorAnswer(401, 'unauthorized', 'replaced'),
	);
	expect((await sandbox.api('GET', '/health', `Bearer ${second}`)).status).toBe(200);
});

test('an unknown path and a wrong method give 404, but 401 without a key', async () => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', '/nothing')).toEqual(errorAnswer(404, 'not-found'));
	expect(await sandbox.api('DELETE', '/health')).toEqual(errorAnswer(404, 'not-found'));
	expect(await sandbox.api('PUT', `/cards/${cardId(1)}`)).toEqual(errorAnswer(404, 'not-found'));
	expect(await call('GET', `${sandbox.apiUrl}/nothing`)).toEqual(errorAnswer(401, 'unauthorized'));
	expect(await call('GET', `${sandbox.url}/elsewhere`)).toEqual(errorAnswer(404, 'not-found'));
});

test('an internal failure gives 500', async () => {
	let broken = false;
	const sandbox = await startSandbox({
		now: () => {
			if (broken) throw new Error('the clock stopped');
			return new Date();
		},
	});
	broken = true;
	const answer = await sandbox.api('GET', `/cards/${cardId(1)}`);
	broken = false;
	expect(answer).toEqual({
		status: 500,
		body: { code: 'internal-server-error', message: 'The sandbox failed: the clock stopped' },
	});
});

test('two sandboxes in one process share nothing', async () => {
	const [one, other] = await Promise.all([startSandbox(), startSandbox()]);
	const key = await one.makeKey();
	expect(await other.api('GET', '/health', `Bearer ${key}`)).toEqual(
		errorAnswer(401, 'unauthorized'),
	);
});
