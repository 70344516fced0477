import { z } from 'zod';

import { type HttpServer, startServer } from '../../dev/harness/httpServer.ts';

const recordSchema = z.record(z.unknown());
const listSchema = z.object({ data: z.array(recordSchema) }).passthrough();

/** A record of a list of the API, as it goes over the wire. */
type WireRecord = z.infer<typeof recordSchema>;

/** What becomes of a record of a list; `path` is the list's, below the prefix. None removes it. */
type Change = (record: WireRecord, path: string) => WireRecord | undefined;

/** Stands between n8n and the sandbox, sees all requests, and may change the records of the lists that pass. */
export interface ChangingProxy extends Pick<HttpServer, 'requests' | 'close'> {
	/** The base URL to use instead of the sandbox's. */
	url: string;
	/** Puts a change into force instead of the one before. */
	set: (change: Change) => void;
}

/**
 * Starts a proxy to the API at `target`, for requests without a body; it changes nothing until it is told
 * to.
 *
 * @param beforeRequest runs before a request is passed on, e.g. to let something happen in between
 */
export async function startChangingProxy(
	target: string,
	beforeRequest: (path: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<ChangingProxy> {
	let change: Change = (record) => record;
	const changed = (text: string, path: string) => {
		const list = listSchema.safeParse(text === '' ? undefined : JSON.parse(text));
		if (!list.success) return text;
		const data = list.data.data.flatMap((record) => change(record, path) ?? []);
		// The true totals are those of the unchanged list; a lower bound never contradicts the records.
		const totals = 'totalItemCount' in list.data && {
			totalItemCount: 0,
			totalItemCountCapped: true,
		};
		return JSON.stringify({ ...list.data, ...totals, data });
	};
	const { url, requests, close } = await startServer(({ method, url: path, headers }, response) => {
		const [list = ''] = path.split('?');
		const pass = async () => {
			await beforeRequest(list);
			const { authorization = '' } = headers;
			const answer = await fetch(target + path, { method, headers: { authorization } });
			const text = changed(await answer.text(), list);
			const type = answer.headers.get('content-type');
			response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
			response.end(text);
		};
		pass().catch(() => response.destroy());
	});
	return { url, requests, close, set: (next) => (change = next) };
}
