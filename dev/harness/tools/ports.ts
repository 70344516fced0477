import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports that were given out: until what they are for listens, the system takes them for free. */
const given = new Set<number>();

/** A free port of 127.0.0.1, none that was given before: `preferred` if that is free, else any. */
export async function freePort(preferred = 0): Promise<number> {
	const port = await tryPort(preferred);
	if (port === undefined || given.has(port)) return freePort();
	given.add(port);
	return port;
}

/** Whether something listens on a port of 127.0.0.1. */
export async function isTaken(port: number): Promise<boolean> {
	return (await tryPort(port)) === undefined;
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
