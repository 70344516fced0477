import { openapi } from '../../support/openapi';
import { startSandbox, type TestSandbox } from '../../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const get = async (path: string) => await fetch(new URL(path, `${sandbox.url}/sandbox/`));

test('openapi.json is openapi.yaml', async () => {
	const response = await get('openapi.json');
	expect(response.headers.get('content-type')).toBe('application/json');
	expect(await response.json()).toEqual(openapi);
});

test('openapi.yaml is the file itself', async () => {
	const response = await get('openapi.yaml');
	expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
	expect(await response.text()).toMatch(/^openapi: 3\.1\.1/m);
});
