import { connect, createServer, type Server, type Socket } from 'node:net';

import { createDelayLine } from './delayLine.ts';

/**
 * A server that passes bytes on to a port of localhost and back, as a network with this round trip would:
 * half of it in each direction. The loopback interface opens a TCP connection at once, where a network
 * needs a round trip. So nothing that a client sends arrives earlier than one and a half round trips after
 * it connected. The bytes are not changed: TLS is between the client and the port.
 */
export function createLink(targetPort: number, roundTripMs: number): Server {
	return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		const target = connect({
			port: targetPort,
			host: 'localhost',
			allowHalfOpen: true,
			noDelay: true,
		});
		const opened = performance.now() + roundTripMs;
		pass(client, target, { delayMs: roundTripMs / 2, opened });
		pass(target, client, { delayMs: roundTripMs / 2, opened: 0 });
	});
}

/** Passes on what one end sends, its end, and that it is gone. */
function pass(from: Socket, to: Socket, { delayMs, opened }: { delayMs: number; opened: number }) {
	const line = createDelayLine();
	const later = (deliver: () => void) =>
		line(Math.max(performance.now(), opened) + delayMs, deliver);
	from.on('data', (bytes) => later(() => to.write(bytes)));
	from.on('end', () => later(() => to.end()));
	// What ends with an error is closed next.
	from.on('error', () => undefined);
	from.on('close', (isBroken) => {
		if (isBroken) later(() => to.resetAndDestroy());
	});
}
