import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

import getPort from 'get-port';

import { type ProcessOptions, startProcess, stopProcess } from '../harness/tools/processes.ts';
import { waitUntil } from '../harness/tools/waiting.ts';

/** Environment variables of n8n. */
type Settings = Readonly<Record<string, string>>;

/** PostgreSQL or Redis of this run: it can be turned off, and on again with the same data. */
export interface Service {
	name: string;
	settings: Settings;
	start: () => Promise<void>;
	stop: () => Promise<void>;
}

interface ServiceOptions extends ProcessOptions {
	name: string;
	program: string;
	/** The arguments of the program, for a port of 127.0.0.1. */
	args: (port: number) => readonly string[];
	settings: (port: number) => Settings;
	/** On which signal it ends; SIGTERM by default. */
	stopSignal?: 'SIGINT';
}

/** Starts a service on a free port; `cleanup` stops it. Resolves when it accepts connections. */
export async function startService(
	{ name, program, args, settings, stopSignal, ...options }: ServiceOptions,
	cleanup: AsyncDisposableStack,
): Promise<Service> {
	const port = await getPort({ reserve: true });
	let child: ChildProcess | undefined;
	const service = {
		name,
		settings: settings(port),
		start: async () => {
			child = startProcess(program, args(port), options);
			await waitUntil(() => accepts(port), { what: name, withinMs: 60_000 });
		},
		stop: async () => {
			if (child) await stopProcess(child, undefined, stopSignal);
		},
	};
	cleanup.defer(service.stop);
	await service.start();
	return service;
}

/** Whether a program accepts connections at a port. */
async function accepts(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	const connected = once(socket, 'connect').then(
		() => true,
		() => false,
	);
	return connected.finally(() => socket.destroy());
}
