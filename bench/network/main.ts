import { createLink } from './link.ts';

// A separate process, so that no work of the client or of the API delays the bytes.

const [port, roundTripMs] = process.argv.slice(2).map(Number);
if (port === undefined || roundTripMs === undefined)
	throw new Error('Give a port and a time in ms');

const link = createLink(port, roundTripMs);
link.listen(0, 'localhost', () => process.send?.(link.address()));
process.once('disconnect', () => process.exit());
