import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';

import { API_PATH, createApp } from './app.ts';
import { COUNT_BUDGET, DELIVERY_SETTINGS } from './assumptions.ts';
import { createClock } from './clock/clock.ts';
import type { Database } from './database/database.ts';
import { openDatabase, toStartError } from './database/open.ts';
import { refillDatabase } from './database/refill.ts';
import { createFaults } from './faults/faults.ts';
import { StartError } from './http/errors.ts';
import type { Exchange } from './http/exchange.ts';
import { hostInUrl, isHostHeader } from './http/guard.ts';
import { createRequestLog } from './requests/requestLog.ts';
import { isEmpty, seedDatabase, type SeedName } from './seed/seed.ts';
import type { Services } from './services.ts';
import type { OutgoingDelivery } from './webhooks/send.ts';
import { type DeliverySettings, DeliveryWorker } from './webhooks/worker.ts';

/** How a sandbox is started; all of it is optional. */
export interface SandboxOptions {
	/** SQLite file; default ':memory:'. */
	db?: string;
	/** Default 0: any free port. */
	port?: number;
	/** Default '127.0.0.1'. */
	host?: string;
	/**
	 * The Host header, e.g. localhost:4010, with which other machines may use control plane and dashboard,
	 * such as a browser outside the container that the sandbox runs in. Default: only this machine may.
	 */
	allowHost?: string | undefined;
	/** Data put into an empty database; default 'small'. */
	seed?: SeedName;
	/** The clock; default the machine's. */
	now?: () => Date;
	/** Changes to how webhooks are delivered (assumption DELIVERY_SETTINGS); times in ms. */
	deliveries?: Partial<DeliverySettings>;
	/** Items a list counts before its total becomes a lower bound (§8); default COUNT_BUDGET. */
	countBudget?: number;
	/** Receives every request to the public API with its response. */
	onExchange?: (exchange: Exchange) => void;
	/** Receives every attempt to deliver a webhook, before it is made. */
	onDelivery?: (delivery: OutgoingDelivery) => void;
	/** Receives what the person who runs the sandbox should know; default: standard error. */
	log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
	/** Address without a path, e.g. http://127.0.0.1:4010; the control plane is at /sandbox. */
	url: string;
	/** Base URL of the public API (§9). */
	apiUrl: string;
	/**
	 * Ends connections, deliveries and the database. Deliveries on their way may finish first, for up to two
	 * seconds (assumption DELIVERY_SETTINGS); what is undelivered stays in the file. Once is enough.
	 */
	close(): Promise<void>;
}

/**
 * Starts a sandbox: the whole service on one port of this machine. Throws a StartError when the
 * port is taken, the database file cannot be used, or `allowHost` is not a host.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1', port = 0, allowHost } = options;
	if (allowHost !== undefined && !isHostHeader(allowHost)) {
		throw new StartError(`the allowed host must be like localhost:4010, not "${allowHost}"`);
	}
	// First, so that a start that must fail leaves no new file behind.
	await requireFreePort(port, host);
	const file = options.db ?? ':memory:';
	const db = openDatabase(file);
	try {
		return await serve(db, host, port, options);
	} catch (error) {
		db.close();
		throw toStartError(file, error);
	}
}

/** Everything is ready before anything listens. */
async function serve(
	db: Database,
	host: string,
	port: number,
	options: SandboxOptions,
): Promise<Sandbox> {
	const { onDelivery, onExchange, log = (line) => console.error(`sandbox: ${line}`) } = options;
	const clock = createClock(options.now ?? (() => new Date()));
	const { now } = clock;
	if (isEmpty(db)) refillDatabase(db, () => seedDatabase(db, options.seed ?? 'small', now()));
	const faults = createFaults();
	const settings = { ...DELIVERY_SETTINGS, ...options.deliveries };
	const worker = new DeliveryWorker({ db, now, settings, faults, log, onDelivery });
	const services: Services = {
		db,
		now,
		clock,
		faults,
		requestLog: createRequestLog(db, now),
		countBudget: options.countBudget ?? COUNT_BUDGET,
		wakeDeliveries: () => worker.wake(),
	};
	const app = createApp(services, host, onExchange);
	const { allowHost } = options;
	const handle = getRequestListener((request, env) => app.fetch(request, { ...env, allowHost }), {
		overrideGlobalObjects: false,
	});
	const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
	await listen(server, port, host);
	worker.wake();

	const shutDown = async () => {
		await Promise.all([endConnections(server), worker.stop()]);
		db.close();
	};
	let closing: Promise<void> | undefined;
	const url = addressOf(server, host);
	return { url, apiUrl: url + API_PATH, close: () => (closing ??= shutDown()) };
}

async function requireFreePort(port: number, host: string): Promise<void> {
	const probe = createNetServer((socket) => socket.destroy());
	await listen(probe, port, host);
	probe.close();
	await once(probe, 'close');
}

const listenError = z.object({ code: z.string().optional(), message: z.string() });

async function listen(server: NetServer, port: number, host: string): Promise<void> {
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		const { code, message } = listenError.parse(error);
		if (code === 'EADDRINUSE') throw new StartError(`port ${port} on ${host} is already in use`);
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
