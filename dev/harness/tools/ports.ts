import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

import { UserError } from './errors.ts';

/** Ports that were given out: until what they are for listens, the system takes them for free. */
const given = new Set<number>();

/** A free port of 127.0.0.1, none that was given before: `preferred` if that is free, else any. */
export async function freePort(preferred = 0): Promise<number> {
	const port = await tryPort(preferred);
	if (port === undefined || given.has(port)) return freePort();
	given.add(port);
	return port;
}

/**
 * The port that a person chose with `flag`, else a free one, preferably the usual one. Throws a
 * {@link UserError} if the chosen port is taken.
 */
export async function choosePort(
	asked: number | undefined,
	{ usual, flag }: { usual: number; flag: string },
): Promise<number> {
	if (asked === undefined) return freePort(usual);
	if ((await tryPort(asked)) !== undefined) return asked;
	throw new UserError(`Port ${asked} is taken`, `Choose another one with ${flag}.`);
}

/** Whether something listens on a port of 127.0.0.1 by now. */
export async function accepts(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}

async function tryPort(wanted: number): Promise<number | undefined> {
	const server = createServer();
	try {
		server.listen(wanted, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
		throw error;
	} finally {
		server.close();
	}
}
