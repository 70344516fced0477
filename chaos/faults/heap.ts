import { once } from 'node:events';

import { z } from 'zod';

/** A look into a Node.js program that was started with {@link inspectAt}. */
export interface Heap {
	/** Has the garbage collected, and gives what is left, in MB. */
	collectedMb(): Promise<number>;
	close(): void;
}

const bytesPerMb = 2 ** 20;

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() })).nonempty();
const answerSchema = z.object({ id: z.number(), result: z.record(z.unknown()) });
const usageSchema = z.object({ usedSize: z.number() });

/** The option that lets Node.js be looked into, from this machine only. */
export function inspectAt(port: number): string {
	return `--inspect=127.0.0.1:${port}`;
}

/** Connects to the inspector of a program. Throws if the port has no inspector. */
export async function openHeap(port: number): Promise<Heap> {
	const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
	const socket = new WebSocket(targetsSchema.parse(targets)[0].webSocketDebuggerUrl);
	await once(socket, 'open');
	let lastId = 0;
	const ask = async (method: string): Promise<Record<string, unknown>> => {
		const id = ++lastId;
		return new Promise((resolve) => {
			const onMessage = ({ data }: MessageEvent) => {
				const answer = answerSchema.safeParse(JSON.parse(String(data)));
				if (answer.data?.id !== id) return;
				socket.removeEventListener('message', onMessage);
				resolve(answer.data.result);
			};
			socket.addEventListener('message', onMessage);
			socket.send(JSON.stringify({ id, method }));
		});
	};
	return {
		collectedMb: async () => {
			await ask('HeapProfiler.collectGarbage');
			return usageSchema.parse(await ask('Runtime.getHeapUsage')).usedSize / bytesPerMb;
		},
		close: () => socket.close(),
	};
}
