import { listOperations, readOpenapi, toApiDocument } from '../../sandbox/docs/document.ts';
import { blocks } from '../../sandbox/docs/markdown.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const openapi = readOpenapi();
const document = toApiDocument(openapi);
const operations = [...listOperations(document.paths), ...listOperations(document.webhooks)];

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const get = async (path: string) => await fetch(new URL(path, `${sandbox.url}/sandbox/`));
const page = async () => await (await get('docs')).text();

const unescapeHtml = (text: string) =>
	text.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => {
		const characters = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
		return Object.entries(characters).find(([name]) => name === entity)?.[1] ?? entity;
	});

test('openapi.json is openapi.yaml', async () => {
	const response = await get('openapi.json');
	expect(response.headers.get('content-type')).toBe('application/json');
	expect(await response.json()).toEqual(openapi);
});

test.each(operations)('the page describes $method $path', async ({ path, operation }) => {
	const text = unescapeHtml(await page());
	const start = text.indexOf(`<article id="${operation.operationId}">`);
	const article = text.slice(start, text.indexOf('</article>', start));
	const parts = [
		path,
		operation.summary,
		...operation.parameters.map(({ name }) => `<code>${name}</code>`),
		...Object.keys(operation.responses).map((status) => `<code>${status}</code>`),
	];
	for (const part of parts) expect(article).toContain(part);
	expect(text).toContain(`href="#${operation.operationId}"`);
});

test('the page describes every field of every object', async () => {
	const text = await page();
	for (const { title, properties = {} } of Object.values(document.components.schemas)) {
		if (title === undefined) continue;
		const start = text.indexOf(`<h3>${title}</h3>`);
		const article = text.slice(start, text.indexOf('</article>', start));
		for (const name of Object.keys(properties)) expect(article).toContain(`<code>${name}</code>`);
	}
});

test('every link of the page leads somewhere', async () => {
	const text = await page();
	const links = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
	expect(links.length).toBeGreaterThan(30);
	for (const link of new Set(links)) {
		if (link.startsWith('#')) expect(text).toContain(` id="${link.slice(1)}"`);
		else expect([link, (await get(link)).status]).toEqual([link, 200]);
	}
});

test('the page needs nothing from another host', async () => {
	const response = await get('docs');
	expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
	expect(await response.text()).not.toMatch(/\s(?:href|src)="(?:https?:)?\/\//);
});

test('every command of the page works in a terminal', async () => {
	const commands = [...unescapeHtml(await page()).matchAll(/<code>(curl .*?)<\/code>/gs)];
	expect(commands).toHaveLength(listOperations(document.paths).length);
	for (const [, command = ''] of commands) {
		const [, method, url = ''] = /^curl -X (\w+) '([^']+)'/.exec(command) ?? [];
		const [, body] = /-d '([^']+)'/.exec(command) ?? [];
		const headers = { authorization: `Bearer ${sandbox.apiKey}` };
		const type = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
		const { status } = await fetch(url, { method, headers: type, body });
		// The ids of cards and transactions are made up.
		const isAsDocumented = url.includes('4f1c6a52') ? status === 404 : status < 300;
		expect([command, status, isAsDocumented]).toEqual([command, status, true]);
	}
});

test('descriptions are text, not HTML', async () => {
	const [paragraph, table] = blocks('a **<b>** `<i>`\n\n| x |\n|---|\n| <u> |');
	expect(String(await paragraph)).toBe(
		'<p>a <strong>&lt;b&gt;</strong> <code>&lt;i&gt;</code></p>',
	);
	expect(String(await table)).toContain('<td>&lt;u&gt;</td>');
});
