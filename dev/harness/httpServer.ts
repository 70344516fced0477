import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server got. */
interface SeenRequest {
	method: string;
	/** Path with query. */
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** A real HTTP server on the loopback whose answers a test decides. */
export interface HttpServer {
	url: string;
	requests: SeenRequest[];
	close: () => Promise<void>;
}

/** Answers one request; may also break the connection by `response.destroy()`. */
export type Answer = (request: SeenRequest, response: ServerResponse, count: number) => void;

/** The node sends plain http in a proxy's form, with the whole URL; that for another server is left as it is. */
const pathOf = ({ url = '', socket }: IncomingMessage) =>
	url.replace(new RegExp(`^http://[^/]+:${socket.localPort}(?=/)`), '');

/**
 * Starts a server.
 *
 * @param answer is called with the request, its response and the number of requests so far
 * @param port any free one by default
 */
export async function startServer(answer: Answer, port = 0): Promise<HttpServer> {
	const requests: SeenRequest[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const seen = {
				method: request.method ?? '',
				url: pathOf(request),
				headers: request.headers,
				body: Buffer.concat(chunks).toString(),
			};
			requests.push(seen);
			answer(seen, response, requests.length);
		});
	});
	await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
	const { port: bound } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${bound}`,
		requests,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((done) => server.close(() => done()));
		},
	};
}

export function json(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}
