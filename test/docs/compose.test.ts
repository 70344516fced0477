import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

import { queueSettings } from '../../dev/chaos/settings.ts';
import packageJson from '../../package.json';
import { parseOptions } from '../../sandbox/cli/options.ts';
import { isHostHeader } from '../../sandbox/http/guard.ts';
import sandboxPackage from '../../sandbox/package.json';

const composeSchema = z.object({
	services: z.record(
		z.object({
			command: z.string().optional(),
			build: z.object({ context: z.string().optional(), dockerfile_inline: z.string() }).optional(),
			stop_grace_period: z.string().optional(),
			environment: z.record(z.string().nullable()).optional(),
			image: z.string().optional(),
			ports: z.array(z.string()).optional(),
		}),
	),
	configs: z.record(z.object({ content: z.string() })).default({}),
});

/** How the paths begin that only a webhook processor serves with these settings. */
const webhookPaths = ['/webhook/', '/webhook-waiting', '/form/', '/form-waiting/', '/mcp/'];

const packageFile = `${packageJson.name}-${packageJson.version}.tgz`;

const parseFile = (name: string) =>
	composeSchema.parse(parse(readFileSync(`docs/compose.${name}.yml`, 'utf8'), { merge: true }));

const queue = parseFile('queue');
const { n8n, sandbox } = parseFile('sandbox').services;

test('queue mode has the processes, the settings and the paths of npm run test:queue', () => {
	const processes = Object.entries(queue.services).filter(([, { build }]) => build !== undefined);
	expect(processes.map(([name, { command }]) => [name, command])).toEqual([
		['main', undefined],
		['webhook-1', 'webhook'],
		['webhook-2', 'webhook'],
		['worker-1', 'worker --concurrency=10'],
		['worker-2', 'worker --concurrency=10'],
	]);
	for (const [, { build, stop_grace_period: grace, environment, ports }] of processes) {
		expect(ports).toBeUndefined();
		expect(environment).toEqual(processes[0]?.[1].environment);
		expect(environment).toMatchObject({ ...queueSettings, DB_TYPE: 'postgresdb' });
		// Docker must wait longer than n8n does, and build again when the package file changes.
		const seconds = Number(environment?.N8N_GRACEFUL_SHUTDOWN_TIMEOUT);
		expect(Number(grace?.replace(/s$/, ''))).toBeGreaterThan(seconds);
		expect(build?.context).toBe('.');
		expect(build?.dockerfile_inline).toContain(`COPY ${packageFile} /tmp/\n`);
		expect(build?.dockerfile_inline).toContain(
			`npm install --legacy-peer-deps --ignore-scripts /tmp/${packageFile}\n`,
		);
	}
	expect(queue.services.proxy?.ports).toEqual(['80:80', '443:443']);
	const caddyfile = queue.configs.caddyfile?.content;
	expect(caddyfile).toContain(
		`@webhooks path ${webhookPaths.map((path) => `${path}*`).join(' ')}\n` +
			'reverse_proxy @webhooks webhook-1:5678 webhook-2:5678 {\n',
	);
	expect(caddyfile).toContain('health_uri /healthz/readiness\n');
	expect(caddyfile).toMatch(/^reverse_proxy main:5678$/m);
});

test('the sandbox is started with options that it has, and reached from this machine only', () => {
	const [npx, yes, name = '', ...args] = sandbox?.command?.split(' ') ?? [];
	expect([npx, yes, name]).toEqual(['npx', '--yes', sandboxPackage.name]);
	expect(Object.keys(sandboxPackage.bin)).toEqual([name]);
	const options = parseOptions(args);
	expect(options).toMatchObject({ host: '0.0.0.0', port: 4010, allowHosts: ['localhost:4010'] });
	expect(options.allowHosts.every(isHostHeader)).toBe(true);
	expect(sandbox?.environment).toEqual({ SANDBOX_API_KEY: null });
	expect(sandbox?.ports).toEqual(['127.0.0.1:4010:4010']);
	expect(n8n?.ports).toEqual(['127.0.0.1:5678:5678']);
	const [, node] = /^node:(\d+)-slim$/.exec(sandbox?.image ?? '') ?? [];
	const [, minimum = ''] = /^>=(.+)/.exec(sandboxPackage.engines.node) ?? [];
	expect(Number(node)).toBeGreaterThanOrEqual(Number.parseFloat(minimum));
});
