import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

import { queueSettings, webhookPaths } from '../../chaos/queue/settings.ts';
import n8nPackage from '../../n8n/package.json';

const compose = z
	.object({
		services: z.record(
			z.object({
				command: z.string().optional(),
				build: z.object({ dockerfile_inline: z.string() }).optional(),
				environment: z.record(z.string()).optional(),
			}),
		),
		configs: z.object({ caddyfile: z.object({ content: z.string() }) }),
	})
	.parse(parse(readFileSync('docs/compose.queue.yml', 'utf8'), { merge: true }));

const n8n = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

test('the example runs the processes that the test of queue mode runs', () => {
	const commands = n8n.map(([name, { command }]) => `${name}: ${command ?? 'start'}`);
	expect(commands).toEqual([
		'main: start',
		'webhook-1: webhook',
		'webhook-2: webhook',
		'worker-1: worker --concurrency=10',
		'worker-2: worker --concurrency=10',
	]);
});

test('all of them are the n8n of the tests, with the package, the same key and the same services', () => {
	for (const [, { build, environment }] of n8n) {
		expect(build?.dockerfile_inline).toContain(`n8nio/n8n:${n8nPackage.dependencies.n8n}\n`);
		expect(build?.dockerfile_inline).toContain('n8n-nodes-card-platform');
		expect(environment).toEqual(n8n[0]?.[1].environment);
		expect(environment).toMatchObject({ DB_TYPE: 'postgresdb', WEBHOOK_URL: 'https://${DOMAIN}/' });
	}
});

test('they have the settings of the test of queue mode', () => {
	const settings = Object.entries(n8n[0]?.[1].environment ?? {}).filter(
		([name, value]) => !/^(DB|QUEUE_BULL)_/.test(name) && !value.includes('${'),
	);
	expect(Object.fromEntries(settings)).toEqual(queueSettings);
});

test('the proxy passes the same paths to webhook processors as that of the test, and the rest to main', () => {
	const { content } = compose.configs.caddyfile;
	const [, paths] = /^@webhooks path (.+)$/m.exec(content) ?? [];
	expect(paths?.split(' ')).toEqual(webhookPaths.map((path) => `${path}*`));
	expect(content).toMatch(/^reverse_proxy main:5678$/m);
	const testUrls = ['/webhook-test/1', '/form-test/1', '/mcp-test/1'];
	const taken = testUrls.filter((url) => webhookPaths.some((path) => url.startsWith(path)));
	expect(taken).toEqual([]);
});

test('the proxy asks only webhook processors that are ready', () => {
	const { content } = compose.configs.caddyfile;
	expect(content).toMatch(/reverse_proxy @webhooks webhook-1:5678 webhook-2:5678 \{/);
	expect(content).toContain('health_uri /healthz/readiness');
});
