import { connect, createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The round trip of the network in the settings with TLS, in milliseconds. */
export const roundTripMs = 30;

/**
 * Passes bytes on to a port of localhost and back, as a network with this round trip would: half of it in each
 * direction. The bytes are not changed: TLS is between the client and the port.
 */
function startLink(targetPort: number): void {
	const options = { allowHalfOpen: true, noDelay: true };
	const link = createServer(options, (client) => {
		const target = connect({ ...options, port: targetPort, host: 'localhost' });
		// The loopback interface opens a TCP connection at once, where a network needs a round trip.
		pass(client, target, performance.now() + roundTripMs);
		pass(target, client, 0);
	});
	link.listen(0, 'localhost', () => parentPort?.postMessage(link.address()));
}

/** Passes on what one end sends, its end, and that it is gone; nothing before the connection is open. */
function pass(from: Socket, to: Socket, openAt: number) {
	const line = createDelayLine();
	const later = (deliver: () => void) =>
		line(Math.max(performance.now(), openAt) + roundTripMs / 2, deliver);
	from.on('data', (bytes) => later(() => to.write(bytes)));
	from.on('end', () => later(() => to.end()));
	// A socket with an error is closed next.
	from.on('error', () => undefined);
	from.on('close', (isBroken) => {
		if (isBroken) later(() => to.resetAndDestroy());
	});
}

/** Calls functions in the order in which they came, each at its time or later: timers alone may overtake. */
function createDelayLine(): (at: number, deliver: () => void) => void {
	const waiting: { at: number; deliver: () => void }[] = [];
	const deliverDue = () => {
		while (waiting[0] !== undefined && waiting[0].at <= performance.now()) {
			waiting.shift()?.deliver();
		}
		if (waiting[0] !== undefined) wait(waiting[0].at);
	};
	const wait = (at: number) => setTimeout(deliverDue, Math.ceil(at - performance.now()));
	return (at, deliver) => {
		waiting.push({ at, deliver });
		if (waiting.length === 1) wait(at);
	};
}

// Runs in its own thread, so that the API does not delay the bytes.
if (parentPort) startLink(Number(workerData));
