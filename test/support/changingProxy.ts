import { z } from 'zod';

import { startServer } from '../../dev/harness/httpServer.ts';

const recordSchema = z.record(z.unknown());
const listSchema = z.object({ data: z.array(recordSchema) }).passthrough();

/** A record of a list of the API, as it goes over the wire. */
type WireRecord = z.infer<typeof recordSchema>;

/** What becomes of a record of a list; `path` is the list's, below the prefix. */
type Change = (record: WireRecord, path: string) => WireRecord;

/** Stands between n8n and the sandbox, sees all requests, and may change the records of the lists that pass. */
export type ChangingProxy = Awaited<ReturnType<typeof startChangingProxy>>;

/** Starts a proxy in front of the API at `target`, for requests without a body. At first, it changes nothing. */
export async function startChangingProxy(target: string) {
	let change: Change = (record) => record;
	const changed = (text: string, path: string) => {
		const list = listSchema.safeParse(text === '' ? undefined : JSON.parse(text));
		if (!list.success) return text;
		return JSON.stringify({
			...list.data,
			data: list.data.data.map((record) => change(record, path)),
		});
	};
	const { url, requests, close } = await startServer(({ method, url: path, headers }, response) => {
		const [list = ''] = path.split('?');
		const pass = async () => {
			const { authorization = '' } = headers;
			const answer = await fetch(target + path, { method, headers: { authorization } });
			const text = changed(await answer.text(), list);
			const type = answer.headers.get('content-type');
			response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
			response.end(text);
		};
		pass().catch(() => response.destroy());
	});
	/** Puts a change into force instead of the one before. */
	const set = (next: Change) => {
		change = next;
	};
	return { url, requests, close, set };
}
