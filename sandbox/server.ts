import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';

import { listAccounts } from './accounts/account.ts';
import { API_PATH, createApp } from './app.ts';
import { COUNT_BUDGET, DEFAULT_RETRY_TIMESTAMP, DELIVERY_SETTINGS } from './assumptions.ts';
import { createClock } from './clock/clock.ts';
import type { Database } from './database/database.ts';
import { openDatabase, toStartError } from './database/open.ts';
import { createFaults } from './faults/faults.ts';
import { parseOrBadRequest, reasonOf, StartError } from './http/errors.ts';
import { hostInUrl, isHostHeader } from './http/guard.ts';
import { createApiKey, lookUpApiKey } from './keys/apiKey.ts';
import { createRequestLog, type LoggedRequest } from './requests/requestLog.ts';
import { isEmpty, seedDatabase, seedSchema } from './seed/seed.ts';
import type { Services } from './services.ts';
import { formatAttempt, formatRequest } from './trace.ts';
import type { Sandbox, SandboxOptions } from './types.ts';
import { ensureEndpoint } from './webhooks/endpoint.ts';
import { DeliveryWorker } from './webhooks/worker.ts';

export type { Sandbox, SandboxOptions };

/**
 * Starts a sandbox: the whole service on one port of this machine. Throws a StartError when the
 * port is taken, the database file cannot be used, the seed is not one,
 * or one of `allowHosts` is not a host.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1', port = 0, allowHosts = [] } = options;
	const wrong = allowHosts.find((each) => !isHostHeader(each));
	if (wrong !== undefined) {
		throw new StartError(`the allowed host must be like localhost:4010, not "${wrong}"`);
	}
	// First, so that a start on a taken port changes no file. No request is read before serve has ended.
	const server = createServer();
	await listen(server, port, host);
	const file = options.db ?? ':memory:';
	let db: Database | undefined;
	try {
		db = openDatabase(file);
		return serve(db, server, host, options);
	} catch (error) {
		await endConnections(server);
		db?.close();
		throw toStartError(file, error);
	}
}

function serve(db: Database, server: Server, host: string, options: SandboxOptions): Sandbox {
	const { onDelivery, onExchange, trace } = options;
	const log = options.log ?? ((line: string) => console.error(`sandbox: ${line}`));
	const clock = createClock(options.now ?? (() => new Date()), db);
	const { now } = clock;
	if (isEmpty(db)) seedDatabase(db, seedOf(options), now());
	const faults = createFaults();
	const settings = { ...DELIVERY_SETTINGS, ...options.deliveries };
	const onAttempt: ConstructorParameters<typeof DeliveryWorker>[0]['onAttempt'] =
		trace && ((...made) => trace(formatAttempt(...made)));
	const worker = new DeliveryWorker({ db, now, settings, faults, log, onDelivery, onAttempt });
	const onRequest = trace && ((request: LoggedRequest) => trace(formatRequest(API_PATH, request)));
	const services: Services = {
		db,
		now,
		clock,
		faults,
		requestLog: createRequestLog(db, now, onRequest),
		countBudget: options.countBudget ?? COUNT_BUDGET,
		wakeDeliveries: () => worker.wake(),
	};
	applyCredentials(services, options);
	const app = createApp(services, host, onExchange);
	const { allowHosts = [] } = options;
	const handle = getRequestListener((request, env) => app.fetch(request, { ...env, allowHosts }), {
		overrideGlobalObjects: false,
	});
	server.on('request', (incoming, outgoing) => void handle(incoming, outgoing));
	worker.wake();

	const shutDown = async () => {
		await Promise.all([endConnections(server), worker.stop()]);
		db.close();
	};
	let closing: Promise<void> | undefined;
	const url = addressOf(server, host);
	return { url, apiUrl: url + API_PATH, close: () => (closing ??= shutDown()) };
}

function seedOf({ seed = 'small' }: SandboxOptions) {
	try {
		return parseOrBadRequest(seedSchema, seed);
	} catch (error) {
		throw new StartError(`the seed: ${reasonOf(error)}`, { cause: error });
	}
}

/** A key and endpoints that a start names are there from then on, whatever the file had before. */
function applyCredentials(services: Services, { apiKey, webhooks = [] }: SandboxOptions): void {
	const { db, now, requestLog } = services;
	if (apiKey !== undefined) {
		requestLog.hide(apiKey);
		const lookup = lookUpApiKey(db, `Bearer ${apiKey}`);
		const isActive = lookup.state === 'active' && lookup.caller.scope === 'customer';
		if (!isActive) createApiKey(services, { scope: 'customer' }, apiKey);
	}
	for (const { url, secret } of webhooks) {
		requestLog.hide(secret);
		for (const { id: accountId } of listAccounts(db)) {
			const endpoint = { accountId, url, secret, retryTimestamp: DEFAULT_RETRY_TIMESTAMP };
			ensureEndpoint(db, endpoint, now());
		}
	}
}

const listenError = z.object({ code: z.string().optional(), message: z.string() });

async function listen(server: Server, port: number, host: string): Promise<void> {
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		const { code, message } = listenError.parse(error);
		if (code === 'EADDRINUSE') {
			throw new StartError(
				`port ${port} on ${host} is already in use: choose another one with --port, 0 for any free one`,
			);
		}
		throw new StartError(`cannot listen on port ${port} on ${host}: ${message}`);
	}
}

async function endConnections(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

function addressOf(server: Server, host: string): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : hostInUrl(host);
	return `http://${reachable}:${address.port}`;
}
