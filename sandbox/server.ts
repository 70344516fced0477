import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import { z } from 'zod/v4';

import { type Caller, findAccount, listAccounts } from './accounts/account.ts';
import { createApp } from './app.ts';
import { DELIVERY_SETTINGS } from './assumptions.ts';
import { clockTimeSchema, createClock } from './clock/clock.ts';
import type { Database } from './database/database.ts';
import { openDatabase, toStartError } from './database/open.ts';
import { createDialects, dialectChoiceSchema } from './dialects/dialect.ts';
import { API_PATH } from './docs/api.ts';
import { createFaults } from './faults/faults.ts';
import { parseOrBadRequest, reasonOf, StartError, UsageError } from './http/errors.ts';
import { hostInUrl } from './http/guard.ts';
import { activeApiKey, apiKeySchema, createApiKey, newApiKey } from './keys/apiKey.ts';
import { createRequestLog, type LoggedRequest } from './requests/requestLog.ts';
import { isEmpty, seedDatabase, seedSchema } from './seed/seed.ts';
import type { Services } from './services.ts';
import { formatAttempt, formatRequest } from './trace.ts';
import type { Sandbox, SandboxOptions } from './types.ts';
import { endpointUrlSchema, ensureEndpoint, signingSecretSchema } from './webhooks/endpoint.ts';
import { DeliveryWorker } from './webhooks/worker.ts';

export type { Sandbox, SandboxOptions };

const notBlank = z.string().trim().min(1, 'must not be empty');

/** Clients that keep connections do so for a minute; Node would end them after 5 s, perhaps during a request. */
const KEEP_ALIVE_MS = 75_000;

/** The options that a person may get wrong, with the limits of the control plane. */
const checkedOptions = z.object({
	db: notBlank.default(':memory:'),
	port: z.int().min(0).max(65_535).default(0),
	host: notBlank.default('127.0.0.1'),
	seed: seedSchema.optional(),
	clock: clockTimeSchema.optional(),
	dialect: dialectChoiceSchema.default('default'),
	apiKey: apiKeySchema.optional(),
	webhooks: z.array(z.object({ url: endpointUrlSchema, secret: signingSecretSchema })).default([]),
});

type Checked = z.infer<typeof checkedOptions>;

/**
 * Starts a sandbox: the whole service on one port of this machine. Throws a UsageError when an option is not
 * possible, and another StartError when the port is taken or the database file cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const checked = check(options);
	// First: a start on a taken port must change no file. No request is read before serve has ended.
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
	await listen(server, checked);
	let db: Database | undefined;
	try {
		db = openDatabase(checked.db);
		return serve(db, server, checked, options);
	} catch (error) {
		await endConnections(server);
		if (db) db.close();
		throw toStartError(checked.db, error);
	}
}

function check(options: SandboxOptions): Checked {
	try {
		return parseOrBadRequest(checkedOptions, options);
	} catch (error) {
		throw new UsageError(reasonOf(error), { cause: error });
	}
}

function serve(db: Database, server: Server, checked: Checked, options: SandboxOptions): Sandbox {
	const { dialect, host, seed = 'small', webhooks } = checked;
	const { onDelivery, onExchange, trace } = options;
	const log = (line: string) => console.error(`sandbox: ${line}`);
	const clock = createClock(options.now ?? (() => new Date()), db, checked.clock);
	const { now } = clock;
	if (isEmpty(db)) seedDatabase(db, seed, now());
	else if (checked.seed !== undefined) {
		log(`${checked.db} has data already, so the seed is not used`);
	}
	const faults = createFaults(() => worker.wake());
	const settings = { ...DELIVERY_SETTINGS, ...options.deliveries };
	const onAttempt: ConstructorParameters<typeof DeliveryWorker>[0]['onAttempt'] =
		trace && ((...made) => trace(formatAttempt(...made)));
	const worker = new DeliveryWorker({ db, now, settings, faults, log, onDelivery, onAttempt });
	const onRequest = trace && ((request: LoggedRequest) => trace(formatRequest(API_PATH, request)));
	const key = keyOf(db, checked.apiKey);
	const services: Services = {
		db,
		now,
		clock,
		dialects: createDialects(dialect),
		faults,
		requestLog: createRequestLog(db, now, onRequest),
		start: {
			fill: () => seedDatabase(db, seed, clock.start()),
			addCredentials: () => addCredentials(services, key, webhooks),
		},
		wakeDeliveries: () => worker.wake(),
		dropDeliveries: () => worker.drop(),
	};
	services.start.addCredentials();
	const app = createApp(services, host, onExchange);
	const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
	server.on('request', (incoming, outgoing) => void handle(incoming, outgoing));
	worker.wake();

	const shutDown = async () => {
		await Promise.all([endConnections(server), worker.stop()]);
		db.close();
	};
	let closing: Promise<void> | undefined;
	const url = addressOf(server, host);
	const close = () => (closing ??= shutDown());
	return { url, apiUrl: url + API_PATH, apiKey: key.apiKey, keyScope: key.caller.scope, close };
}

interface StartKey {
	apiKey: string;
	caller: Caller;
}

/** The key of a start: the one that it names, or else that of the file, or a new one. */
function keyOf(db: Database, named: string | undefined): StartKey {
	const existing = named === undefined ? activeApiKey(db) : undefined;
	return existing ?? { apiKey: named ?? newApiKey(), caller: { scope: 'customer' } };
}

/** The key and the endpoints of a start are there from then on, and again after a reset, if their accounts are. */
function addCredentials(
	services: Services,
	{ apiKey, caller }: StartKey,
	webhooks: Checked['webhooks'],
): void {
	const { db, now } = services;
	if (caller.scope === 'customer' || findAccount(db, caller.accountId)) {
		createApiKey(db, caller, apiKey);
	}
	for (const { url, secret } of webhooks) {
		for (const { id: accountId } of listAccounts(db)) {
			ensureEndpoint(db, { accountId, url, secret }, now());
		}
	}
}

async function listen(server: Server, { port, host }: Checked): Promise<void> {
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		throw new StartError(
			`cannot listen on ${host}, port ${port} (--port 0 takes any free one): ${reasonOf(error)}`,
		);
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
