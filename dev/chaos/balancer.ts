import { waitUntil } from '../harness/tools/waiting.ts';

/** The proxy in front of the webhook processors, without its process. */
export interface Balancer {
	/** Passes a request to a ready processor; undefined if none is ready. */
	pass: <T>(send: (url: string) => Promise<T>) => Promise<T | undefined>;
	/** Takes all processors out; resolves when the last requests have their responses. */
	drain: () => Promise<void>;
	/** Puts them back. */
	resume: () => void;
}

/**
 * Passes requests on in turn. An n8n must not be reached before it is ready: while it starts, it responds to a
 * webhook with 200, and does nothing.
 */
export function createBalancer(urls: readonly string[]): Balancer {
	let turn = 0;
	let busy = 0;
	let isDraining = false;
	return {
		async pass(send) {
			if (isDraining) return undefined;
			busy++;
			try {
				const first = turn++ % urls.length;
				for (const url of [...urls.slice(first), ...urls.slice(0, first)]) {
					if (await isReady(url)) return await send(url);
				}
				return undefined;
			} finally {
				busy--;
			}
		},
		drain: async () => {
			isDraining = true;
			await waitUntil(() => busy === 0, { what: 'the last responses', withinMs: 120_000 });
		},
		resume: () => {
			isDraining = false;
		},
	};
}

const isReady = (url: string) =>
	fetch(`${url}/healthz/readiness`).then(
		({ ok }) => ok,
		() => false,
	);
