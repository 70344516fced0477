import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { n8nFolder, nodeFolder } from '../tools/paths.ts';

interface N8nSettings {
	/** The folder that holds all this n8n writes. */
	userFolder: string;
	port: number;
	/** Where n8n and its own task runner meet. */
	brokerPort: number;
	encryptionKey: string;
}

/** What a program needs of the machine. Nothing else is passed on: an N8N_ or DB_ setting of the person's
 * own n8n, a NODE_ENV of the test runner or a proxy would make this n8n another one. */
const inherited = ['HOME', 'LANG', 'TMPDIR', 'TZ'];

/** Everything that would call home, or ask the person something at the first visit. */
const offTheNetwork = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** n8n gives up on its own parts within seconds; on a busy machine they only need longer. In s and ms. */
const n8nTimeouts = {
	N8N_RUNNERS_TASK_ACCEPT_TIMEOUT: '60',
	N8N_RUNNERS_TASK_REQUEST_TIMEOUT: '120',
	N8N_EXPRESSION_ENGINE_TIMEOUT: '60000',
};

/**
 * mcp-registry calls home. insights ends n8n when it starts after a crash: it reads the start time of every
 * interrupted execution, and one that had only been created has none (1.123 to 2.41).
 */
const unwantedModules = ['insights', 'mcp-registry'];

/** Older versions do not start if N8N_DISABLED_MODULES names a module that they do not have. */
function knowsModule(name: string): boolean {
	return existsSync(join(n8nFolder, 'node_modules', 'n8n', 'dist', 'modules', name));
}

/** A key for credentials, as n8n makes one for itself. */
export function newEncryptionKey(): string {
	return randomBytes(24).toString('hex');
}

/** The whole environment of an n8n: SQLite, loopback only, silent towards the internet. */
export function n8nEnvironment(settings: N8nSettings): NodeJS.ProcessEnv {
	const { userFolder, port, brokerPort, encryptionKey } = settings;
	return {
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		...offTheNetwork,
		...n8nTimeouts,
		N8N_DISABLED_MODULES: unwantedModules.filter(knowsModule).join(),
		PATH: [nodeFolder, process.env.PATH].join(delimiter),
		NODE_ENV: 'production',
		DB_TYPE: 'sqlite',
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Where a worker responds: it has no editor.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		// Browsers send a secure cookie over plain HTTP to some loopback names only.
		N8N_SECURE_COOKIE: 'false',
	};
}
