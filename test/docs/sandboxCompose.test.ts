import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

import n8nPackage from '../../n8n/package.json';
import { parseBaseUrl } from '../../nodes/CardPlatform/api/baseUrl';
import { parseOptions } from '../../sandbox/cli/options.ts';
import { isHostHeader } from '../../sandbox/http/guard.ts';
import sandboxPackage from '../../sandbox/package.json';

const { services, volumes } = z
	.object({
		services: z
			.object({
				n8n: z
					.object({
						build: z.object({ dockerfile_inline: z.string() }).strict(),
						environment: z.record(z.string()),
						ports: z.array(z.string()),
					})
					.strict(),
				sandbox: z
					.object({
						image: z.string(),
						command: z.string(),
						init: z.literal(true),
						ports: z.array(z.string()),
						volumes: z.array(z.string()),
					})
					.strict(),
			})
			.strict(),
		volumes: z.record(z.object({})),
	})
	.strict()
	.parse(parse(readFileSync('docs/compose.sandbox.yml', 'utf8')));

const { n8n, sandbox } = services;

test('n8n is the one of the tests, with the package installed as the tests do', () => {
	const { dockerfile_inline: dockerfile } = n8n.build;
	expect(dockerfile).toContain(`n8nio/n8n:${n8nPackage.dependencies.n8n}\n`);
	const queue = readFileSync('docs/compose.queue.yml', 'utf8').replace(/^ {2}/gm, '');
	const [install = 'none'] = /npm install .*/.exec(queue) ?? [];
	expect(dockerfile).toContain(install);
});

test('the sandbox is started by its package, with options that it has', () => {
	const [npx, yes, name, ...args] = sandbox.command.split(' ');
	expect([npx, yes, name]).toEqual(['npx', '--yes', sandboxPackage.name]);
	expect(Object.keys(sandboxPackage.bin)).toEqual([name]);
	expect(parseOptions(args)).toMatchObject({
		host: '0.0.0.0',
		port: 4010,
		allowHost: 'localhost:4010',
		db: expect.stringMatching(/^\/data\//),
	});
	expect(sandbox.volumes).toEqual(['sandbox:/data']);
	expect(volumes).toEqual({ sandbox: {} });
	const [, image] = /^node:(\d+)-slim$/.exec(sandbox.image) ?? [];
	const [, minimum] = /^>=(\d+)/.exec(sandboxPackage.engines.node) ?? [];
	expect(Number(image)).toBeGreaterThanOrEqual(Number(minimum));
});

test('both ports are published on this machine only; the sandbox under the host that it allows', () => {
	const { allowHost = '' } = parseOptions(sandbox.command.split(' ').slice(3));
	expect(isHostHeader(allowHost)).toBe(true);
	expect(sandbox.ports).toEqual([`127.0.0.1:${new URL(`http://${allowHost}`).port}:4010`]);
	expect(n8n.ports).toEqual(['127.0.0.1:5678:5678']);
});

test('each reaches the other by its name in the network', () => {
	expect(n8n.environment).toEqual({ WEBHOOK_URL: 'http://n8n:5678/' });
	const page = readFileSync('docs/sandbox.md', 'utf8');
	const [, baseUrl] = /Base URL `(http:\/\/sandbox:\S+)`/.exec(page) ?? [];
	expect(parseBaseUrl(baseUrl, 'sandbox_key')).toBe('http://sandbox:4010/v1/public');
});

test('file and page say that it was not run', () => {
	expect(readFileSync('docs/compose.sandbox.yml', 'utf8')).toContain('has not been run');
	expect(readFileSync('docs/sandbox.md', 'utf8')).toContain('has not been run');
});
